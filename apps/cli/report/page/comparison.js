// SPDX-License-Identifier: MIT
// The fold-out of a row: its cells beside those of its nearest rows, as lines of a table.
const called = (row) => html("span", {}, `row ${count(row.row)}`, row.id ? ` (${row.id})` : "");

function comparison(s) {
  const {columns, difference, cells, left_out} = s.compared;
  const widest = Math.max(...difference.map((gap) => gap || 0), 1e-9);
  const head = html(
    "tr",
    {},
    html("th", {scope: "col"}, "Column"),
    html("th", {scope: "col", class: "own"}, html("b", {}, "This row"), chip(s.given)),
    s.neighbours.map((n) => html("th", {scope: "col"}, html("b", {}, called(n)), chip(n.label))),
    s.neighbours.length ? html("th", {scope: "col"}, "Difference") : null,
  );
  const body = columns.map((column, k) => {
    const gap = difference[k];
    const most = gap !== null && gap > 0 && k < 3 && s.neighbours.length;
    return html(
      "tr",
      {class: most ? "most" : null},
      html("th", {scope: "row"}, data.names[column]),
      cells[k].map((cell, j) =>
        html("td", {class: j === 0 ? "own" : null}, cell === "" ? "–" : cell),
      ),
      !s.neighbours.length
        ? null
        : html(
            "td",
            {},
            gap === null
              ? "not an input"
              : html(
                  "div",
                  {
                    class: "gap",
                    role: "img",
                    "aria-label": `${gap.toFixed(2)}`,
                    title: gap.toFixed(2),
                  },
                  html("i", {style: {width: `${(100 * gap) / widest}%`}}),
                ),
          ),
    );
  });
  const lead = s.neighbours.length
    ? `${counted(s.neighbours.length, "row")} most like this one, with similarity ` +
      `${s.neighbours.map((n) => n.similarity.toFixed(2)).join(", ")}. ` +
      "Columns in which they differ most come first."
    : "The cells of this row; no neighbours were looked up for it.";
  return html(
    "div",
    {class: "compare"},
    html("p", {class: "lead"}, lead),
    html(
      "div",
      {
        class: "wide",
        tabindex: "0",
        role: "region",
        "aria-label": `Cells of row ${s.row} and its neighbours`,
      },
      html("table", {}, html("thead", {}, head), html("tbody", {}, body)),
    ),
    left_out
      ? html("p", {class: "lead"}, `${counted(left_out, "more column")} left out here.`)
      : null,
  );
}
