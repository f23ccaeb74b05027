// SPDX-License-Identifier: MIT
// How it was made, and the order of things.
function schema() {
  const {columns, of} = data.schema;
  if (!columns.length) return;
  put(
    "schema",
    html(
      "details",
      {},
      html("summary", {}, `The table's ${counted(of, "column")} as they were understood`),
      plainTable(
        "Columns",
        ["Column", "Kind", "Use", {num: "Different values"}, {num: "Missing"}, "Note"],
        columns.map((c) => [c.name, c.kind, c.role, count(c.distinct), count(c.missing), c.note]),
      ),
      columns.length < of
        ? html("p", {class: "lead"}, `${count(of - columns.length)} more are left out here.`)
        : null,
    ),
  );
}

function copyButton() {
  if (!navigator.clipboard) return;
  const button = html(
    "button",
    {
      type: "button",
      onclick: async () => {
        await navigator.clipboard.writeText(at("command").textContent);
        button.textContent = "Copied";
        setTimeout(() => {
          button.textContent = "Copy";
        }, 1500);
      },
    },
    "Copy",
  );
  at("command").after(button);
}

if (!data.summary.converged)
  put(
    "alerts",
    html(
      "p",
      {class: "alert", role: "alert"},
      html("b", {}, "Not converged. "),
      "The search for the model stopped before it settled: the ranking is the best found so far, " +
        "its numbers may still move.",
    ),
  );
drawNumbers(data.summary);
if (data.notes.length)
  put(
    "notes",
    html("h3", {}, "Notes"),
    html(
      "ul",
      {},
      data.notes.map((note) => html("li", {}, note)),
    ),
  );
drawSuspects();
drawUnlabelled();
histogram();
curve();
confusion();
mistakes();
map();
evidence();
schema();
copyButton();
