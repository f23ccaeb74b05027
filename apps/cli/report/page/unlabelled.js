// SPDX-License-Identifier: MIT
// Rows that were not learned from: what their label probably is.
function drawUnlabelled() {
  const {rows, of} = data.unlabelled;
  if (!of) return;
  at("unlabelled").hidden = false;
  put(
    "unlabelled-lead",
    `${counted(of, "row")} had no label. The most probable class of each, and its probability` +
      (rows.length < of ? `; the first ${count(rows.length)}:` : ":"),
  );
  const ids = rows.some((row) => row.id !== "");
  put(
    "unlabelled-body",
    html(
      "div",
      {class: "wide", tabindex: "0", role: "region", "aria-label": "Rows without a label"},
      html(
        "table",
        {class: "proof"},
        html(
          "thead",
          {},
          html(
            "tr",
            {},
            html("th", {scope: "col", class: "num"}, "Row"),
            ids ? html("th", {scope: "col"}, data.id_name) : null,
            html("th", {scope: "col"}, "Predicted"),
            html("th", {scope: "col", class: "num"}, "Probability"),
          ),
        ),
        html(
          "tbody",
          {},
          rows.map((row) =>
            html(
              "tr",
              {},
              html("td", {class: "num"}, count(row.row)),
              ids ? html("td", {}, row.id) : null,
              html("td", {}, chip(row.predicted)),
              html("td", {class: "num"}, row.p.toFixed(3)),
            ),
          ),
        ),
      ),
    ),
  );
}
