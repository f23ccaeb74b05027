// SPDX-License-Identifier: MIT
// Expected errors found against rows reviewed, and a slider that answers "how far should I go?".
const review = (() => {
  const {reviewed, found} = data.curve;
  const {rows: all, suspects, expected_wrong: total, budget} = data.summary;
  const most = reviewed[found.findIndex((f) => f >= 0.8 * total)] || all;
  const last = Math.min(all, Math.max(20, 3 * suspects, most, Math.ceil(1.25 * budget)));
  return {
    total,
    last,
    all,
    now: Math.min(last, budget || suspects || 20),
    at(k) {
      const j = Math.max(
        1,
        reviewed.findIndex((r) => r >= k),
      );
      return line(reviewed[j - 1], reviewed[j], found[j - 1], found[j])(k);
    },
  };
})();

const findings = () => {
  if (review.total < 0.1)
    return `${about(review.total)} wrong labels are expected in all: a review would most likely find none.`;
  const expected = review.at(review.now);
  return (
    `Reviewing the first ${counted(review.now, "row")} is expected to find ` +
    `${expected.toFixed(1)} of about ${review.total.toFixed(1)} wrong labels ` +
    `(${percent(expected / review.total)}).`
  );
};

function drawCurve(picture, width, height) {
  const [left, right, top, bottom] = [40, 14, 30, 46];
  const {total, last, all, now} = review;
  const x = line(0, last, left, width - right);
  const y = line(0, Math.max(1.06 * total, 0.5), height - bottom, top);
  const ends = height - bottom;
  for (const tick of steps(0, Math.max(1.06 * total, 0.5), 5))
    fill(picture, [
      rule(left, y(tick), width - right, y(tick)),
      text(left - 8, y(tick) + 4, {"text-anchor": "end"}, short(tick)),
    ]);
  for (const tick of steps(0, last, width < 420 ? 4 : 7).filter((t) => t % 1 === 0))
    fill(picture, [text(x(tick), ends + 18, {"text-anchor": "middle"}, count(tick))]);

  const points = data.curve.reviewed
    .map((r, k) => [r, data.curve.found[k]])
    .filter(([r]) => r <= last);
  points.push([last, review.at(last)]);
  const path = points
    .map(([r, f], k) => `${k ? "L" : "M"}${x(r).toFixed(1)} ${y(f).toFixed(1)}`)
    .join("");
  fill(picture, [
    svg("line", {
      x1: left,
      x2: width - right,
      y1: y(total),
      y2: y(total),
      class: "axis",
      style: {strokeDasharray: "4 3"},
    }),
    text(left + 6, y(total) - 6, {class: "halo"}, `all expected errors: ${about(total)}`),
    svg("line", {
      x1: x(0),
      y1: y(0),
      x2: x(last),
      y2: y((total * last) / all),
      class: "axis",
      style: {strokeDasharray: "1 4"},
    }),
    text(
      width - right,
      Math.min(ends - 6, y((total * last) / all) + 16),
      {"text-anchor": "end", class: "halo"},
      "in random order",
    ),
    svg("path", {d: `${path}V${ends}H${left}z`, style: {fill: "var(--wrong)", fillOpacity: 0.08}}),
    svg("path", {
      d: path,
      style: {fill: "none", stroke: "var(--wrong)", strokeWidth: 2.5, strokeLinejoin: "round"},
    }),
    svg("line", {
      x1: x(now),
      x2: x(now),
      y1: y(review.at(now)),
      y2: ends,
      class: "axis",
      style: {stroke: "var(--ink)"},
    }),
    svg("circle", {
      cx: x(now),
      cy: y(review.at(now)),
      r: 5,
      style: {fill: "var(--wrong)", stroke: "var(--paper)", strokeWidth: 2},
    }),
    rule(left, ends, width - right, ends, "axis"),
    text(
      (left + width - right) / 2,
      height - 8,
      {"text-anchor": "middle"},
      "rows reviewed, most suspicious first",
    ),
    text(0, 12, {}, "errors found (expected)"),
  ]);
}

function curve() {
  const redraw = figure("curve", findings, drawCurve);
  const words = html("span", {role: "status"}, findings());
  put("curve-caption", words);
  put(
    "curve-control",
    html(
      "label",
      {class: "grow"},
      "Rows you can review",
      html("input", {
        type: "range",
        min: Math.min(1, review.last),
        max: review.last,
        step: 1,
        value: review.now,
        oninput: (e) => {
          review.now = +e.target.value;
          words.textContent = findings();
          redraw();
        },
      }),
    ),
  );
}
