// SPDX-License-Identifier: MIT
// One evidence table per question.
const views = {regular: "none", robust: "one rate", "class-dependent": "rates by class"};

function evidenceTable(question, caption) {
  const known = question.rows.map((row) => row.log_integrated).filter(isNumber);
  const best = Math.max(...known);
  const number = (x) => (isNumber(x) ? signed(x, 2) : "–");
  const body = question.rows.map((row) =>
    html(
      "tr",
      {class: row.log_integrated === best ? "best" : null},
      html(
        "th",
        {scope: "row"},
        row.name,
        row.converged ? null : html("span", {class: "poor"}, " (not converged)"),
        row.covariance
          ? html(
              "details",
              {},
              html("summary", {}, "covariance"),
              html("div", {class: "formula"}, row.covariance),
            )
          : null,
      ),
      html("td", {}, views[row.errors] || row.errors),
      html("td", {class: "num"}, number(row.log_evidence)),
      html("td", {class: "num"}, number(row.log_integrated)),
      html(
        "td",
        {class: "num"},
        isNumber(row.log_integrated) ? number(row.log_integrated - best) : "–",
      ),
      html(
        "td",
        {},
        isNumber(row.probability)
          ? html(
              "div",
              {class: "chance"},
              html("span", {}, chance(row.probability)),
              html(
                "span",
                {class: "bar", "aria-hidden": "true"},
                html("i", {style: {width: `${100 * row.probability}%`}}),
              ),
            )
          : "–",
      ),
      html("td", {class: "num"}, count(row.evaluations)),
    ),
  );
  const head = [
    "Explanation",
    "Label errors",
    "At its best",
    "Integrated",
    "Behind best",
    "Probability",
    "Evaluations",
  ];
  return html(
    "div",
    {class: "wide", tabindex: "0", role: "region", "aria-label": caption || "Evidence"},
    html(
      "table",
      {class: "proof"},
      caption ? html("caption", {}, caption) : null,
      html(
        "thead",
        {},
        html(
          "tr",
          {},
          head.map((name, k) =>
            html("th", {scope: "col", class: (k > 1 && k < 5) || k === 6 ? "num" : null}, name),
          ),
        ),
      ),
      html("tbody", {}, body),
    ),
  );
}

function evidence() {
  const questions = data.evidence;
  const several = questions.length > 1;
  put(
    "evidence-body",
    questions.map((question, k) => {
      const name = several ? `Is it ${data.classes[question.class].name}?` : "";
      const margin = isNumber(question.margin)
        ? ` margin ${signed(question.margin, 1)} nats, ε ${percent(question.rate)}`
        : "";
      const table = evidenceTable(question, several ? `${name}${margin ? ` ·${margin}` : ""}` : "");
      return questions.length <= 3
        ? table
        : html(
            "details",
            {open: k === 0},
            html("summary", {}, `${name}${margin ? ` ·${margin}` : ""}`),
            table,
          );
    }),
    html(
      "p",
      {class: "lead"},
      "“At its best” is the log evidence at the learned hyperparameters; “integrated” averages " +
        "over them, which charges an explanation for its freedom. Probabilities compare the " +
        "explanations listed here and nothing else, wrong labels being the likelier ones beforehand.",
    ),
  );
}
