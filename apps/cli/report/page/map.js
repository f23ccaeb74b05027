// SPDX-License-Identifier: MIT
// The map: rows in a plane, suspects ringed.  The pointer names the nearest row; arrow keys walk
// through the suspects.
const chart = {view: 0, points: [], suspects: [], current: -1, redraw: () => {}};
const inList = new Map(listed.map((s) => [s.row, s]));

function named(point) {
  const s = inList.get(point.row);
  const id = s && s.id ? ` (${s.id})` : "";
  const other = s && s.suggested !== s.given ? ` → ${data.classes[s.suggested].name}?` : "";
  const label = data.classes[point.given].name + other;
  return `Row ${count(point.row)}${id}\n${label}\np_wrong ${chance(point.p)}`;
}

// Ticks as [ten-thousandth of the axis, text].
const numbers = (axis, most) =>
  (
    axis.ticks ||
    steps(axis.low, axis.high, most).map((t) => [
      (10000 * (t - axis.low)) / (axis.high - axis.low),
      short(t),
    ])
  ).filter(([place]) => place >= 0 && place <= 10000);

function axes(picture, view, x, y, box) {
  for (const [place, words] of numbers(view.x, box.width < 500 ? 4 : 8))
    fill(picture, [
      rule(x(place), box.bottom, x(place), box.bottom + 5, "axis"),
      text(x(place), box.bottom + 19, {"text-anchor": "middle"}, minus(words)),
    ]);
  for (const [place, words] of numbers(view.y, 6))
    fill(picture, [
      rule(box.left - 5, y(place), box.left, y(place), "axis"),
      text(box.left - 9, y(place) + 4, {"text-anchor": "end"}, minus(words)),
    ]);
  fill(picture, [
    svg("rect", {
      x: box.left,
      y: box.top,
      width: box.right - box.left,
      height: box.bottom - box.top,
      class: "axis",
    }),
    text(
      (box.left + box.right) / 2,
      box.bottom + 40,
      {"text-anchor": "middle", class: "strong"},
      view.x.label,
    ),
    text(0, 13, {class: "strong"}, `↑ ${view.y.label}`),
  ]);
}

// All ordinary rows of a colour are one path: thousands of marks stay light.
function crowd(points, radius) {
  const paths = new Map();
  for (const point of points) {
    if (point.p > threshold) continue;
    const colour = colourOf(point.given);
    const [x, y] = [Math.round(point.x * 10) / 10, Math.round(point.y * 10) / 10];
    paths.set(colour, (paths.get(colour) || "") + shape(colour, radius, x, y));
  }
  const opacity = points.length > 800 ? 0.4 : 0.62;
  return [...paths].map(([colour, d]) =>
    svg("path", {d, style: {fill: ink(colour), fillOpacity: opacity}}),
  );
}

function drawMap(picture, width, height) {
  const view = data.map.views[chart.view];
  const longest = Math.max(...numbers(view.y, 6).map(([, words]) => words.length), 0);
  const box = {
    left: 14 + 7.5 * Math.max(longest, 2),
    right: width - 8,
    top: 26,
    bottom: height - 48,
    width,
  };
  const x = line(0, 10000, box.left, box.right);
  const y = line(0, 10000, box.bottom, box.top);
  chart.points = data.map.rows.map((row, k) => ({
    row,
    given: data.map.given[k],
    p: data.map.p_wrong[k],
    x: x(view.at_x[k]),
    y: y(view.at_y[k]),
  }));
  chart.suspects = chart.points.filter((point) => point.p > threshold).sort((a, b) => b.p - a.p);
  if (view.grid) fill(picture, [regions(view.grid, x, y)]);
  axes(picture, view, x, y, box);
  fill(picture, crowd(chart.points, chart.points.length > 800 ? 2.4 : 3.2));
  const many = chart.suspects.length > 100;
  for (const point of chart.suspects) {
    const colour = colourOf(point.given);
    fill(picture, [
      svg(
        "g",
        {transform: `translate(${point.x.toFixed(1)} ${point.y.toFixed(1)})`},
        svg("circle", {
          r: many ? 6 : 9,
          style: {
            fill: "var(--paper)",
            fillOpacity: 0.75,
            stroke: "var(--wrong)",
            strokeWidth: 2.2,
          },
        }),
        svg("path", {d: shape(colour, many ? 3 : 4.4), style: {fill: ink(colour)}}),
      ),
    ]);
  }
  chart.ring = svg("circle", {
    r: 14,
    style: {fill: "none", stroke: "var(--ink)", strokeWidth: 2.5},
    visibility: "hidden",
  });
  fill(picture, [chart.ring]);
}

function point(to) {
  if (!to) {
    chart.ring.setAttribute("visibility", "hidden");
    hideTip();
    return;
  }
  set(chart.ring, {cx: to.x, cy: to.y, visibility: "visible"});
  const box = at("map-plot").getBoundingClientRect();
  showTip(named(to), box.x + to.x, box.y + to.y);
}

// The row under the pointer; suspects are larger, hence easier to hit.
function nearest(event) {
  const box = at("map-plot").getBoundingClientRect();
  const [x, y] = [event.clientX - box.x, event.clientY - box.y];
  let [best, found] = [14, null];
  for (const candidate of chart.points) {
    const away = Math.hypot(candidate.x - x, candidate.y - y) - (candidate.p > threshold ? 5 : 0);
    if (away < best) [best, found] = [away, candidate];
  }
  return found;
}

function walk(event) {
  const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
  const n = chart.suspects.length;
  if (step && n) {
    chart.current = (chart.current + step + n) % n;
    point(chart.suspects[chart.current]);
  } else if (event.key === "Enter" && chart.suspects[chart.current])
    goTo(chart.suspects[chart.current].row);
  else if (event.key === "Escape") point(null);
  else return;
  event.preventDefault();
}

function mapWords() {
  const {views, rows: drawn, of} = data.map;
  const view = views[chart.view];
  const thinned =
    drawn.length < of
      ? ` ${count(drawn.length)} of ${count(of)} rows are drawn: the listed ones with their ` +
        "neighbours, and an even sample of the others within each class."
      : "";
  put(
    "map-caption",
    view.caption,
    view.grid ? " Deeper tint: the model gives that class more than 0.9." : "",
    thinned,
    chart.suspects.length
      ? " Click a ringed row, or walk through them with the arrow keys and press Enter, to " +
          "find it in the list."
      : "",
  );
}

function legend() {
  const coloured = data.classes.map((c, k) => ({...c, k})).filter((c) => c.colour < 7);
  const others = data.classes.length - coloured.length;
  const ring = svg(
    "svg",
    {viewBox: "-7 -7 14 14", "aria-hidden": "true"},
    svg("circle", {r: 5.5, style: {fill: "none", stroke: "var(--wrong)", strokeWidth: 2}}),
  );
  put(
    "map-legend",
    coloured.map((c) => html("span", {}, chip(c.k))),
    others
      ? html(
          "span",
          {},
          chip(data.classes.findIndex((c) => c.colour === 7)),
          others > 1 ? ` and ${others - 1} more of the rarer classes` : "",
        )
      : null,
    html("span", {class: "chip"}, ring, `suspect: p_wrong above ${threshold}`),
  );
}

function map() {
  if (!data.map.views.length) {
    at("map").hidden = true;
    return;
  }
  const label = () =>
    `Map of the rows, ${data.map.views[chart.view].title}; ` +
    `${counted(chart.suspects.length, "suspect")} marked. ` +
    "Arrow keys walk through the suspects, Enter shows one in the list.";
  const plot = set(at("map-plot"), {
    tabindex: "0",
    role: "application",
    onkeydown: walk,
    onpointermove: (e) => point(nearest(e)),
    onpointerleave: () => point(null),
    onblur: () => point(null),
    onclick: (e) => {
      const found = nearest(e);
      if (found && inList.has(found.row)) goTo(found.row);
    },
  });
  chart.redraw = figure("map-plot", label, drawMap);
  plot.setAttribute("aria-label", label());
  const buttons = data.map.views.map((view, k) =>
    html(
      "button",
      {
        type: "button",
        "aria-pressed": String(k === 0),
        onclick: () => {
          chart.view = k;
          chart.current = -1;
          buttons.forEach((button, j) => button.setAttribute("aria-pressed", String(j === k)));
          chart.redraw();
          plot.setAttribute("aria-label", label());
          mapWords();
        },
      },
      view.title,
    ),
  );
  if (buttons.length > 1) put("map-control", buttons);
  legend();
  mapWords();
}
