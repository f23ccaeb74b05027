// SPDX-License-Identifier: MIT
// Rows by p_wrong, counts on a logarithmic axis: a few suspects show beside thousands of others.
function drawHistogram(picture, width, height) {
  const counts = data.histogram;
  const [left, right, top, bottom] = [48, 12, 30, 46];
  const x = line(0, 1, left, width - right);
  const ticks = decades(Math.max(...counts, 1));
  const logarithm = line(
    Math.log10(0.6),
    Math.log10(ticks[ticks.length - 1]),
    height - bottom,
    top,
  );
  const y = (n) => logarithm(Math.log10(n));
  for (const tick of ticks)
    fill(picture, [
      rule(left, y(tick), width - right, y(tick)),
      text(left - 8, y(tick) + 4, {"text-anchor": "end"}, count(tick)),
    ]);
  counts.forEach((n, k) => {
    if (!n) return;
    const [from, to] = [k / counts.length, (k + 1) / counts.length];
    const suspect = from >= threshold - 1e-9;
    const place = {x: x(from) + 1, width: Math.max(1, x(to) - x(from) - 2)};
    fill(picture, [
      svg("rect", {
        ...place,
        y: y(n),
        height: height - bottom - y(n),
        rx: 1.5,
        style: {fill: suspect ? "var(--wrong)" : "var(--calm)"},
      }),
      n < 100 && place.width > 9
        ? text(
            place.x + place.width / 2,
            y(n) - 5,
            {"text-anchor": "middle", class: suspect ? "alarm" : ""},
            n,
          )
        : null,
      describe(
        svg("rect", {...place, y: top, height: height - bottom - top, fill: "transparent"}),
        `${counted(n, "row")} with p_wrong between ${from.toFixed(2)} and ${to.toFixed(2)}`,
      ),
    ]);
  });
  fill(picture, [
    rule(left, height - bottom, width - right, height - bottom, "axis"),
    svg("line", {
      x1: x(threshold),
      x2: x(threshold),
      y1: top - 12,
      y2: height - bottom,
      class: "axis",
      style: {stroke: "var(--wrong)", strokeDasharray: "4 3"},
    }),
    text(
      x(threshold) + (threshold > 0.7 ? -6 : 6),
      top - 4,
      {class: "alarm halo", "text-anchor": threshold > 0.7 ? "end" : "start"},
      `suspect above ${threshold}`,
    ),
  ]);
  for (const tick of [0, 0.25, 0.5, 0.75, 1])
    fill(picture, [
      text(
        x(tick),
        height - bottom + 18,
        {"text-anchor": tick === 0 ? "start" : tick === 1 ? "end" : "middle"},
        tick,
      ),
    ]);
  fill(picture, [
    text(
      (left + width - right) / 2,
      height - 8,
      {"text-anchor": "middle"},
      "chance that the label is wrong (p_wrong)",
    ),
    text(0, 12, {}, "rows (log)"),
  ]);
}

function histogram() {
  const {suspects, rows: all} = data.summary;
  figure(
    "histogram",
    () => `Histogram of p_wrong over ${count(all)} rows; ${count(suspects)} above ${threshold}.`,
    drawHistogram,
  );
  const body = data.histogram.map((n, k) =>
    n === 0
      ? null
      : html(
          "tr",
          {},
          html(
            "td",
            {},
            [k, k + 1].map((edge) => (edge / data.histogram.length).toFixed(2)).join(" – "),
          ),
          html("td", {class: "num"}, count(n)),
        ),
  );
  put(
    "histogram-caption",
    "Each step up the axis is ten times as many rows. Bars in the middle are labels the model " +
      "cannot settle.",
    html(
      "details",
      {},
      html("summary", {}, "The counts as a table"),
      html(
        "table",
        {},
        html(
          "thead",
          {},
          html(
            "tr",
            {},
            html("th", {scope: "col"}, "p_wrong"),
            html("th", {scope: "col", class: "num"}, "Rows"),
          ),
        ),
        html("tbody", {}, body),
      ),
    ),
  );
}
