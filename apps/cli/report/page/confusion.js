// SPDX-License-Identifier: MIT
// Suspects by given and suggested class.
function confusion() {
  const {classes, counts} = data.confusion;
  if (!classes.length) {
    put("confusion-lead", `No label is above ${threshold}, so there is nothing to count.`);
    return;
  }
  put(
    "confusion-lead",
    `The ${counted(data.summary.suspects, "suspect")} by the label they carry (down) and the ` +
      "one the model suggests (across).",
  );
  const most = Math.max(...counts.flat(), 1);
  const sum = (list) => list.reduce((a, b) => a + b, 0);
  const share = (n) => Math.round(10 + (45 * n) / most);
  const cell = (n, i, j) => {
    const shade = n
      ? {
          background: `color-mix(in srgb, var(--wrong) ${share(n)}%, var(--paper))`,
          fontWeight: 600,
        }
      : {};
    return html("td", {style: shade, class: n ? null : "none"}, n ? count(n) : i === j ? "–" : "0");
  };
  put(
    "confusion-body",
    html(
      "table",
      {class: "heat"},
      html(
        "thead",
        {},
        html(
          "tr",
          {},
          html("th", {scope: "col"}, "given \\ suggested"),
          classes.map((c) => html("th", {scope: "col"}, chip(c))),
          html("th", {scope: "col", class: "sum"}, "of rows so labelled"),
        ),
      ),
      html(
        "tbody",
        {},
        classes.map((given, i) =>
          html(
            "tr",
            {},
            html("th", {scope: "row"}, chip(given)),
            counts[i].map((n, j) => cell(n, i, j)),
            html(
              "td",
              {class: "sum"},
              `${count(sum(counts[i]))} of ${count(data.classes[given].count)}`,
            ),
          ),
        ),
      ),
    ),
  );
}

// Over all labels, doubtful or not.
function mistakes() {
  if (!data.mistakes.length) return;
  put(
    "mistakes-body",
    html(
      "p",
      {class: "lead"},
      "Over all labels, each by its probability of being wrong, and the class that the other rows " +
        "suggest in its place:",
    ),
    plainTable(
      "Which class is mistaken for which",
      ["True class", "Recorded as", {num: "Labels expected"}, {num: "Share of the true class"}],
      data.mistakes.map((mistake) => [
        chip(mistake.truth),
        chip(mistake.given),
        mistake.expected.toFixed(1),
        percent(mistake.share),
      ]),
    ),
  );
}
