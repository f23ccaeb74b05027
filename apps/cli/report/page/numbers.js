// SPDX-License-Identifier: MIT
// The three numbers: estimate, interval as a line, meaning in words.
function range(low, value, high, end, show) {
  const width = 240;
  const x = line(0, end, 1, width - 1);
  const tall = 36;
  return svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${tall}`,
      preserveAspectRatio: "xMinYMid meet",
      role: "img",
      "aria-label": `from ${show(low)} to ${show(high)} on a line from 0 to ${show(end)}`,
    },
    rule(1, 12, width - 1, 12, "axis"),
    rule(1, 8, 1, 16, "axis"),
    svg("rect", {
      x: x(low),
      y: 8,
      width: Math.max(2, x(high) - x(low)),
      height: 8,
      rx: 4,
      style: {fill: "var(--wrong)", fillOpacity: 0.35},
    }),
    svg("circle", {cx: x(value), cy: 12, r: 5, style: {fill: "var(--wrong)"}}),
    text(0, 32, {}, "0"),
    text(width, 32, {"text-anchor": "end"}, show(end)),
  );
}

const tile = (name, value, unit, picture, words) =>
  html(
    "div",
    {class: "number"},
    html("h2", {}, name),
    html("div", {class: "value"}, value, unit ? html("small", {}, unit) : null),
    picture,
    html("p", {}, words),
  );

function ceiling(x) {
  const power = 10 ** Math.floor(Math.log10(Math.max(x, 1e-6)));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((k) => +(k * power).toPrecision(3)).find((k) => k >= x);
}

const noSignal =
  "Not shown: the columns tell next to nothing of the label, and noise looks like errors.";
const notTried = "No model with label errors was tried.";

function wrongTile(s) {
  if (!isNumber(s.rate)) return tile("Wrong labels, estimated", "–", null, null, notTried);
  if (!s.has_signal) return tile("Wrong labels, estimated", "–", null, null, noSignal);
  const [low, high] = s.wrong_labels;
  const end = Math.min(
    Math.max(ceiling(1.1 * Math.max(high, s.expected_wrong)), 1),
    Math.max(s.rows, 1),
  );
  return tile(
    "Wrong labels, estimated",
    about(s.expected_wrong),
    `of ${count(s.rows)}`,
    range(low, s.expected_wrong, high, end, about),
    `Between ${count(Math.floor(low))} and ${count(Math.max(0, Math.ceil(high - 0.05)))} with 90 % probability.`,
  );
}

function rateTile(s) {
  if (!isNumber(s.rate)) return tile("Error rate ε of the labelling", "–", null, null, notTried);
  if (!s.has_signal) return tile("Error rate ε of the labelling", "–", null, null, noSignal);
  const [low, high] = s.rate_interval;
  const end = Math.min(ceiling(1.1 * Math.max(high, s.rate, 0.005)), 1);
  return tile(
    "Error rate ε of the labelling",
    percent(s.rate),
    null,
    range(low, s.rate, high, end, percent),
    s.surely_has_errors
      ? `Between ${percent(low)} and ${percent(high)} with 90 % probability. ` +
          "What to expect of new labels made the same way."
      : `If labels are wrong at all: between ${percent(low)} and ${percent(high)} then, with 90 % probability.`,
  );
}

function factor(nats) {
  if (nats >= 14) return `10^${Math.floor(nats / Math.LN10)} times`;
  const times = Math.exp(nats);
  return `${about(+times.toPrecision(2))} times`;
}

function balance(nats) {
  const [width, far] = [240, Math.max(5, 1.1 * Math.abs(nats))];
  const x = line(-far, far, 4, width - 4);
  return svg(
    "svg",
    {
      viewBox: `0 0 ${width} 36`,
      preserveAspectRatio: "xMinYMid meet",
      role: "img",
      "aria-label": `${nats.toFixed(1)} nats`,
    },
    rule(1, 12, width - 1, 12, "axis"),
    rule(x(0), 6, x(0), 18, "axis"),
    svg("rect", {
      x: Math.min(x(0), x(nats)),
      y: 8,
      width: Math.abs(x(nats) - x(0)),
      height: 8,
      style: {fill: nats > 0 ? "var(--wrong)" : "var(--calm)", fillOpacity: 0.45},
    }),
    svg("circle", {
      cx: x(nats),
      cy: 12,
      r: 5,
      style: {fill: nats > 0 ? "var(--wrong)" : "var(--calm)"},
    }),
    text(0, 32, {}, "all right"),
    text(width, 32, {"text-anchor": "end"}, "some wrong"),
  );
}

function marginWords(nats) {
  const size = Math.abs(nats);
  if (size < 0.1) return "Both explain the labels equally well.";
  const [likely, unlikely] =
    nats > 0
      ? ["some of them are wrong", "all are right"]
      : ["all of them are right", "some are wrong"];
  const weight = [
    [1, "This says next to nothing either way."],
    [3, "That is some evidence, not much."],
    [5, "That is strong evidence."],
  ].find(([most]) => size < most) || [0, "That is very strong evidence."];
  return `The labels are ${factor(size)} as probable if ${likely} as if ${unlikely}. ${weight[1]}`;
}

function marginTile(s) {
  const name = "Margin for label errors over none";
  if (!isNumber(s.margin))
    return tile(
      name,
      "–",
      null,
      null,
      s.comparison_failed
        ? "The comparison failed: whether any label is wrong is not known."
        : "Not compared: the table was explained in one way only, with or without label errors.",
    );
  if (!s.has_signal) return tile(name, "–", null, null, noSignal);
  return tile(name, signed(s.margin, 1), "nats", balance(s.margin), marginWords(s.margin));
}

function drawNumbers(s) {
  put("numbers", wrongTile(s), rateTile(s), marginTile(s));
}
