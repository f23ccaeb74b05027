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
    plainTable(
      "Rows without a label",
      [{num: "Row"}, ...(ids ? [data.id_name] : []), "Predicted", {num: "Probability"}],
      rows.map((row) => [
        count(row.row),
        ...(ids ? [row.id] : []),
        chip(row.predicted),
        row.p.toFixed(3),
      ]),
    ),
  );
}
