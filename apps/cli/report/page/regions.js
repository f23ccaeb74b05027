// SPDX-License-Identifier: MIT
// Marching squares: the parts of a grid where a field is positive, and their edge.
function margins(planes, c, k) {
  let other = 0;
  planes.forEach((plane, j) => {
    if (j !== c && plane[k] > other) other = plane[k];
  });
  return planes[c][k] - other;
}

// Outline of the positive part of one square, corners in order; `cuts` are its crossings of 0.
function clip(corners) {
  const outline = [];
  const cuts = [];
  corners.forEach(([x, y, value], i) => {
    const [nextX, nextY, next] = corners[(i + 1) % 4];
    if (value > 0) outline.push([x, y]);
    if (value > 0 === next > 0) return;
    const t = value / (value - next);
    const cut = [x + t * (nextX - x), y + t * (nextY - y)];
    outline.push(cut);
    cuts.push(cut);
  });
  return {outline, cuts};
}

// Two paths in pixels: the area and its edge.  Whole squares are joined into bars.
function contour(field, columns, rows, x, y) {
  const point = ([a, b]) => `${x(a).toFixed(1)} ${y(b).toFixed(1)}`;
  let area = "";
  let edge = "";
  for (let j = 0; j + 1 < rows; ++j) {
    let start = -1;
    for (let i = 0; i < columns; ++i) {
      const corners =
        i + 1 === columns
          ? null
          : [
              [i, j],
              [i + 1, j],
              [i + 1, j + 1],
              [i, j + 1],
            ].map(([a, b]) => [a, b, field[b * columns + a]]);
      const inside = corners ? corners.filter(([, , value]) => value > 0).length : 0;
      if (inside === 4) {
        if (start < 0) start = i;
        continue;
      }
      if (start >= 0)
        area += `M${point([start, j])}L${point([i, j])}L${point([i, j + 1])}L${point([start, j + 1])}z`;
      start = -1;
      if (!inside) continue;
      const {outline, cuts} = clip(corners);
      area += `M${outline.map(point).join("L")}z`;
      for (let k = 0; k + 1 < cuts.length; k += 2)
        edge += `M${point(cuts[k])}L${point(cuts[k + 1])}`;
    }
  }
  return {area, edge};
}

// Tints by most probable class, deeper where that class is nearly certain, and the boundary.
function regions(grid, x, y) {
  const {columns, rows, planes} = grid;
  const across = line(0, columns - 1, x(0), x(10000));
  const up = line(0, rows - 1, y(0), y(10000));
  const layer = svg("g", {"aria-hidden": "true"});
  let boundary = "";
  planes.forEach((plane, c) => {
    const most = contour(
      plane.map((_, k) => margins(planes, c, k)),
      columns,
      rows,
      across,
      up,
    );
    const sure = contour(
      plane.map((p) => p - 9000),
      columns,
      rows,
      across,
      up,
    );
    fill(layer, [
      svg("path", {d: most.area, style: {fill: ink(c), fillOpacity: 0.1}}),
      svg("path", {d: sure.area, style: {fill: ink(c), fillOpacity: 0.1}}),
    ]);
    if (planes.length > 2 || c === 0) boundary += most.edge;
  });
  return fill(layer, [
    svg("path", {
      d: boundary,
      style: {
        fill: "none",
        stroke: "var(--ink)",
        strokeWidth: 1.5,
        strokeLinecap: "round",
        strokeOpacity: 0.75,
      },
    }),
  ]);
}
