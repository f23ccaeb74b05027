// SPDX-License-Identifier: MIT
// A picture drawn at the size it has, and again when that changes: text keeps its size.
function figure(id, label, draw) {
  const box = at(id);
  let width = 0;
  const redraw = () => {
    width = box.clientWidth;
    if (width < 100) return; // not laid out yet
    const height = box.clientHeight;
    const picture = svg("svg", {
      viewBox: `0 0 ${width} ${height}`,
      role: "group",
      "aria-label": label(),
    });
    draw(picture, width, height);
    box.replaceChildren(picture);
  };
  redraw();
  if (window.ResizeObserver)
    new ResizeObserver(() => {
      if (box.clientWidth !== width) redraw();
    }).observe(box);
  return redraw;
}

const text = (x, y, attributes, ...words) => svg("text", {x, y, ...attributes}, ...words);
const rule = (x1, y1, x2, y2, kind) => svg("line", {x1, y1, x2, y2, class: kind || "rule"});
