// SPDX-License-Identifier: MIT
// Elements made from text only: nothing from the table is ever read as markup.
const data = JSON.parse(document.getElementById("data").textContent);

function fill(node, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(node.style, value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  return node;
}

const html = (tag, attributes, ...children) =>
  fill(set(document.createElement(tag), attributes), children);
const svg = (tag, attributes, ...children) =>
  fill(set(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes), children);
const at = (id) => document.getElementById(id);

function put(id, ...children) {
  at(id).replaceChildren();
  return fill(at(id), children);
}

const whole = new Intl.NumberFormat("en", {maximumFractionDigits: 0});
const count = (n) => whole.format(n);
const counted = (n, noun) => `${count(n)} ${noun}${n === 1 ? "" : "s"}`;
// Few digits for few things: 3.4, 17, 1,240.
const about = (x) => (x < 10 && x % 1 !== 0 ? x.toFixed(1) : count(x));
const percent = (p) => {
  const q = 100 * p;
  return `${q.toFixed(q > 0 && q < 0.095 ? 2 : q < 9.95 ? 1 : 0)} %`;
};
const chance = (p) => (p > 0.995 ? "> 0.99" : p < 0.005 ? "< 0.01" : p.toFixed(2));
const minus = (words) => words.replace(/^-/, "−");
const signed = (x, digits) => minus(x.toFixed(digits));
const isNumber = (x) => typeof x === "number" && Number.isFinite(x);

// The mark of a class: a colour and a shape, so that neither is needed alone.
const shapes = [
  (r, x, y) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  (r, x, y) => `M${x - 0.9 * r} ${y - 0.9 * r}h${1.8 * r}v${1.8 * r}h${-1.8 * r}z`,
  (r, x, y) => `M${x} ${y - 1.2 * r}l${1.15 * r} ${2.1 * r}h${-2.3 * r}z`,
  (r, x, y) =>
    `M${x} ${y - 1.3 * r}l${1.2 * r} ${1.3 * r}l${-1.2 * r} ${1.3 * r}l${-1.2 * r} ${-1.3 * r}z`,
];
const colourOf = (c) => data.classes[c].colour;
const ink = (colour) => `var(--c${colour})`;
const shape = (colour, r, x = 0, y = 0) => shapes[colour % shapes.length](r, x, y);

const mark = (c) =>
  svg(
    "svg",
    {viewBox: "-6 -6 12 12", "aria-hidden": "true"},
    svg("path", {d: shape(colourOf(c), 4.6), style: {fill: ink(colourOf(c))}}),
  );
const chip = (c) => html("span", {class: "chip"}, mark(c), html("span", {}, data.classes[c].name));

// One note beside the pointer or the focused mark.
const tip = at("tip");
function showTip(text, x, y) {
  tip.textContent = text;
  tip.hidden = false;
  const left = Math.min(x + 14, window.innerWidth - tip.offsetWidth - 8);
  tip.style.left = `${Math.max(8, left) + window.scrollX}px`;
  tip.style.top = `${y + window.scrollY - tip.offsetHeight - 12}px`;
}
const hideTip = () => {
  tip.hidden = true;
};
function describe(node, text) {
  const show = () => {
    const box = node.getBoundingClientRect();
    showTip(text, box.x + box.width / 2, box.y);
  };
  return set(node, {onpointerenter: show, onpointerleave: hideTip, onfocus: show, onblur: hideTip});
}

// A table that is only read.  A heading {num: "…"} is above numbers.
function plainTable(name, heads, rows) {
  const side = (k) => (heads[k].num ? "num" : null);
  return html(
    "div",
    {class: "wide", tabindex: "0", role: "region", "aria-label": name},
    html(
      "table",
      {class: "proof"},
      html(
        "thead",
        {},
        html(
          "tr",
          {},
          heads.map((head, k) => html("th", {scope: "col", class: side(k)}, head.num || head)),
        ),
      ),
      html(
        "tbody",
        {},
        rows.map((cells) =>
          html(
            "tr",
            {},
            cells.map((cell, k) => html("td", {class: side(k)}, cell)),
          ),
        ),
      ),
    ),
  );
}
