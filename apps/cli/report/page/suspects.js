// SPDX-License-Identifier: MIT
// The ranked list: filters, order, and a fold-out per row that shows its neighbours' cells.
const listed = data.suspects.map((suspect, rank) => ({...suspect, rank: rank + 1}));
const threshold = data.summary.threshold;
const page = 50;

const orders = [
  {key: "rank", name: "Rank", low: true},
  {key: "row", name: "Row", low: true},
  {key: "given", name: "Given → suggested", low: true, by: (s) => s.given * 1000 + s.suggested},
  {key: "p_wrong", name: "Chance it is wrong", low: false},
  {key: "p_given", name: "Belief in given", low: true, number: true},
  {key: "novelty", name: "Novelty", low: false, number: true},
];
const state = {
  order: orders[0],
  low: true,
  words: "",
  given: "",
  suggested: "",
  least: 0,
  shown: Math.max(20, Math.min(data.summary.suspects + 5, page)),
};

const searchable = (s) =>
  [
    s.row,
    s.id || "",
    data.classes[s.given].name,
    data.classes[s.suggested].name,
    ...(s.compared ? s.compared.cells.map((line) => line[0]) : []),
  ]
    .join("\n")
    .toLowerCase();
for (const suspect of listed) suspect.words = searchable(suspect);

function selected() {
  const by = state.order.by || ((s) => s[state.order.key]);
  return listed
    .filter(
      (s) =>
        s.words.includes(state.words.toLowerCase()) &&
        s.p_wrong >= state.least &&
        (state.given === "" || s.given === +state.given) &&
        (state.suggested === "" || s.suggested === +state.suggested),
    )
    .sort((a, b) => (by(a) - by(b)) * (state.low ? 1 : -1) || a.rank - b.rank);
}

const rowsOf = (list) => list.map((n) => count(n.row)).join(", ");

function why(s) {
  if (!s.neighbours.length) return "no neighbours looked up";
  const labels = [...new Set(s.neighbours.map((n) => n.label))];
  const words =
    labels.length === 1 && s.neighbours.length > 1
      ? [
          `its ${s.neighbours.length} nearest rows (${rowsOf(s.neighbours)}) are all `,
          chip(labels[0]),
        ]
      : [
          "nearest: ",
          s.neighbours.map((n, k) => [k ? ", " : "", `${count(n.row)} `, chip(n.label)]).flat(),
        ];
  const doubtful = s.neighbours.filter((n) => n.p_wrong > threshold);
  return words
    .flat()
    .concat(doubtful.length ? [`; the label of ${rowsOf(doubtful)} is in doubt too`] : []);
}

function bar(p) {
  return html(
    "div",
    {class: p > threshold ? "chance high" : "chance"},
    html("b", {}, chance(p)),
    html("span", {class: "bar", "aria-hidden": "true"}, html("i", {style: {width: `${100 * p}%`}})),
  );
}

function rows(s) {
  const detail = html("tr", {role: "row", class: "detail", hidden: true, id: `cells-${s.row}`});
  const fold = html(
    "button",
    {
      type: "button",
      class: "fold",
      "aria-expanded": "false",
      "aria-controls": detail.id,
      onclick: () => {
        const open = detail.hidden;
        if (open && !detail.firstChild)
          detail.append(html("td", {role: "cell", colspan: 7}, comparison(s)));
        detail.hidden = !open;
        main.classList.toggle("open", open);
        fold.setAttribute("aria-expanded", String(open));
        fold.textContent = open ? "hide cells" : "compare cells";
      },
    },
    "compare cells",
  );
  const cell = (kind, name, ...children) =>
    html("td", {role: "cell", class: kind, "data-name": name}, ...children);
  const main = html(
    "tr",
    {role: "row", id: `row-${s.row}`, tabindex: "-1"},
    cell("rank", null, s.rank),
    cell(
      "row",
      null,
      html("span", {class: "row-word"}, "row "),
      html("b", {}, count(s.row)),
      s.trusted ? html("span", {class: "tag more"}, "trusted") : null,
      s.id ? html("span", {class: "id"}, s.id) : null,
    ),
    cell(
      "swap",
      null,
      chip(s.given),
      s.suggested === s.given
        ? html("span", {class: "why"}, " keep")
        : [html("span", {class: "arrow"}, "→"), chip(s.suggested)],
    ),
    cell("", null, bar(s.p_wrong)),
    cell("num first", "belief in given", chance(s.p_given)),
    cell("num", "novelty", chance(s.novelty)),
    cell("why", null, why(s), s.compared ? fold : null),
  );
  return [main, detail];
}

function drawList() {
  const found = selected();
  const shown = found.slice(0, state.shown);
  at("list-body").replaceChildren(...shown.map(rows).flat());
  at("list-count").textContent =
    found.length === listed.length
      ? counted(listed.length, "row")
      : `${count(found.length)} of ${counted(listed.length, "row")}`;
  at("list-more").hidden = shown.length === found.length;
  at("list-more").textContent = `Show ${count(Math.min(page, found.length - shown.length))} more`;
  for (const head of at("list").querySelectorAll("th[data-key]"))
    if (head.dataset.key === state.order.key)
      head.setAttribute("aria-sort", state.low ? "ascending" : "descending");
    else head.removeAttribute("aria-sort");
  at("list-order").value = state.order.key;
}

function sortBy(order) {
  state.low = state.order === order ? !state.low : order.low;
  state.order = order;
  drawList();
}

function change(part) {
  Object.assign(state, {shown: page}, part);
  drawList();
}

function classPicker(key, name) {
  const present = [...new Set(listed.map((s) => s[key]))].sort((a, b) => a - b);
  return html(
    "label",
    {},
    name,
    html(
      "select",
      {onchange: (e) => change({[key]: e.target.value})},
      html("option", {value: ""}, "any"),
      present.map((c) => html("option", {value: c}, data.classes[c].name)),
    ),
  );
}

function suspectControls() {
  const least = html("output", {}, "any");
  return html(
    "div",
    {class: "control", role: "group", "aria-label": "Filter the list"},
    html(
      "label",
      {class: "grow"},
      "Search row, id, label or cell",
      html("input", {type: "search", oninput: (e) => change({words: e.target.value})}),
    ),
    classPicker("given", "Given label"),
    classPicker("suggested", "Suggested label"),
    html(
      "label",
      {},
      html("span", {}, "Chance wrong at least: ", least),
      html("input", {
        type: "range",
        min: 0,
        max: 0.95,
        step: 0.05,
        value: 0,
        oninput: (e) => {
          least.textContent = +e.target.value ? (+e.target.value).toFixed(2) : "any";
          change({least: +e.target.value});
        },
      }),
    ),
    html(
      "label",
      {class: "small-only"},
      "Order",
      html(
        "select",
        {
          id: "list-order",
          onchange: (e) => sortBy(orders.find((order) => order.key === e.target.value)),
        },
        orders.map((order) => html("option", {value: order.key}, order.name)),
      ),
    ),
    html("span", {class: "count", id: "list-count", role: "status"}),
  );
}

function suspectsLead(suspects) {
  const further = listed.length - suspects;
  const words = [
    suspects === 0
      ? `No label has a p_wrong above ${threshold}`
      : `${counted(suspects, "label")} with a p_wrong above ${threshold}`,
    further < 0 ? `; the first ${count(listed.length)} are listed` : "",
    further > 0 ? `; the ${count(further)} next in rank follow` : "",
    ". Rows are counted from 1, without the header.",
  ];
  return words.join("");
}

function drawSuspects() {
  put("suspects-lead", suspectsLead(data.summary.suspects));
  if (!listed.length) return;
  const heads = orders.map((order) =>
    html(
      "th",
      {
        role: "columnheader",
        scope: "col",
        "data-key": order.key,
        class: order.number ? "num" : null,
      },
      html(
        "button",
        {type: "button", onclick: () => sortBy(order)},
        order.key === "rank" ? "#" : order.name,
      ),
    ),
  );
  put(
    "suspects-body",
    suspectControls(),
    html(
      "table",
      {class: "list", id: "list", role: "table", "aria-label": "Ranked labels"},
      html(
        "thead",
        {role: "rowgroup"},
        html("tr", {role: "row"}, heads, html("th", {role: "columnheader", scope: "col"}, "Why")),
      ),
      html("tbody", {role: "rowgroup", id: "list-body"}),
    ),
    html("button", {
      type: "button",
      class: "pages",
      id: "list-more",
      onclick: () => change({shown: state.shown + page}),
    }),
  );
  drawList();
}

// Brings a row of the list into view from elsewhere on the page.
function goTo(row) {
  Object.assign(state, {words: "", given: "", suggested: "", least: 0, shown: listed.length});
  drawList();
  const target = at(`row-${row}`);
  if (!target) return;
  target.classList.add("found");
  target.scrollIntoView({block: "center"});
  target.focus({preventScroll: true});
  setTimeout(() => target.classList.remove("found"), 2500);
}
