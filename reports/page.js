/* SPDX-License-Identifier: Apache-2.0 */
/* The list of findings: search, filters, and the visible rows. The page is complete without this script, which makes a
   list of 100,000 findings usable. The data attributes of <html> have the state for tests. */
(() => {
const root = document.documentElement;
const started = performance.now();
let errors = 0;
root.dataset.errors = "0";
addEventListener("error", () => { root.dataset.errors = String(++errors); });
addEventListener("unhandledrejection", () => { root.dataset.errors = String(++errors); });

const { $, make, count, names, kind, unpack, read, data, caseId, parts, filled, body } = findings;

/* ---- the list: only the visible rows are in the document ---- */
const list = $("list");
let total = 0;
const space = make("div", "space");
let view = [];              /* indices of the findings that pass the filters */
let place = new Map();      /* finding -> its position in the view */
const open = new Map();     /* expanded finding -> the height of its body */
let live = new Map();       /* finding in the document -> its element */
let rowHeight = 38;
const PRINTED = 10;         /* findings on paper, and those that are open */

const opened = () =>
  [...open].filter(([i]) => place.has(i)).map(([i, h]) => [place.get(i), h]).sort((a, b) => a[0] - b[0]);
function topOf(at, above) {
  let y = at * rowHeight;
  for (const [where, height] of above) if (where < at) y += height;
  return y;
}
function rowAt(y, above) {
  for (const [where, height] of above) {
    const top = where * rowHeight;
    if (y < top + rowHeight) break;
    if (y < top + rowHeight + height) return where;
    y -= height;
  }
  return Math.min(view.length - 1, Math.max(0, Math.floor(y / rowHeight)));
}
function makeRow(i) {
  const row = make("div", "row"), button = make("button");
  row.setAttribute("role", "listitem");
  row.setAttribute("aria-setsize", view.length);
  row.setAttribute("aria-posinset", (place.get(i) || 0) + 1);
  button.type = "button";
  button.tabIndex = -1;
  button.setAttribute("aria-expanded", "false");
  button.dataset.i = i;
  const verdict = make("span", "v " + kind(data.verdict[i]), names.verdicts[data.verdict[i]]);
  const name = make("span", "case"), id = caseId(i), test = names.tests[data.test[i]];
  if (id.startsWith(test[0])) name.append(make("span", "op", test[0]), id.slice(test[0].length));
  else name.append(id);
  const gist = data.expected[i] !== null && data.actual[i] !== null
    ? [data.expected[i], data.actual[i]].map(s => parts(s)[1] || s).join(" \u2192 ") : data.clause[i] || "";
  button.append(make("span", "n", "#" + data.id[i]), verdict, name, make("span", "gist", gist));
  row.append(button);
  return row;
}
function setOpen(i, row, yes) {
  const button = row.firstChild;
  button.setAttribute("aria-expanded", String(yes));
  row.classList.toggle("open", yes);
  const old = row.querySelector(":scope > .body");
  if (old) old.remove();
  if (!yes) return Promise.resolve();
  const { box, ready } = body(i);
  row.append(box);
  const measure = () => {
    if (open.has(i) && row.isConnected) open.set(i, box.offsetHeight);
  };
  box.querySelectorAll("details").forEach(d => d.addEventListener("toggle", () => { measure(); render(); }));
  return ready.then(() => {
    box.querySelectorAll("details").forEach(d => d.addEventListener("toggle", () => { measure(); render(); }));
    measure();
    render();
  });
}
function render() {
  const above = opened();
  const height = topOf(view.length, above);
  space.style.height = height + "px";
  const short = view.length <= 40;
  list.classList.toggle("short", short);
  const from = short ? 0 : list.scrollTop, seen = short ? height : list.clientHeight;
  const wanted = new Map();
  if (view.length) {
    const first = Math.max(0, rowAt(from, above) - 6), last = Math.min(view.length - 1, rowAt(from + seen, above) + 6);
    for (let at = first; at <= last; ++at) wanted.set(view[at], at);
  }
  for (const [i, row] of live) if (!wanted.has(i)) { row.remove(); live.delete(i); }
  let before = space;
  for (const [i, at] of wanted) {
    let row = live.get(i);
    if (!row) {
      row = makeRow(i);
      live.set(i, row);
      before.after(row);
      setOpen(i, row, open.has(i));
    }
    row.style.transform = `translateY(${topOf(at, above)}px)`;
    before = row;
  }
  tabStop();
}
/* One row takes part in the order of the tabulator, which a list of 100,000 rows would hold for ever; the arrow keys
   lead to the others. */
let current = -1;
function tabStop() {
  if (!live.has(current))
    current = live.size ? [...live.keys()].reduce((a, b) => place.get(a) < place.get(b) ? a : b) : -1;
  for (const [i, row] of live) row.firstChild.tabIndex = i === current ? 0 : -1;
}
let scheduled = false;
function renderSoon() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => { scheduled = false; render(); });
}
async function toggle(i, yes) {
  if (yes) open.set(i, open.get(i) || 0);
  else open.delete(i);
  current = i;
  render();
  const row = live.get(i);
  if (row) await setOpen(i, row, yes);
  render();
}
function scrollTo(at) {
  const y = topOf(at, opened());
  if (list.classList.contains("short")) render();
  else {
    list.scrollTop = Math.max(0, y - rowHeight);
    render();
  }
  return live.get(view[at]);
}

/* ---- search and filters ---- */
const tools = $("tools");
const search = make("input"), status = make("div");
search.type = "search";
search.placeholder = "Search ids, values, clauses, sentences";
search.setAttribute("aria-label", "Search findings");
status.id = "count";
status.className = "count";
status.setAttribute("role", "status");
const select = {};
function addSelect(name, label, entries) {
  const s = select[name] = make("select");
  s.setAttribute("aria-label", label);
  s.append(new Option(label, ""));
  for (const [value, text] of entries) s.append(new Option(text, value));
  s.addEventListener("change", change);
  tools.append(s);
}
let hay = null;
function haystack() {
  /* Built on the first search only: it uses as much memory as the findings. */
  if (!hay) {
    hay = new Array(total);
    for (let i = 0; i < total; ++i)
      hay[i] = ["#" + data.id[i], caseId(i), data.expected[i], data.actual[i], data.source[i], data.clause[i],
                data.tensor[i], data.element[i], filled(i, data.detail[i])].join(" ").toLowerCase();
  }
  return hay;
}
function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const texts = words.length ? haystack() : null;
  const { op, test, verdict, dtype, clause } = chosen();
  view = [];
  place = new Map();
  for (let i = 0; i < total; ++i) {
    const own = names.tests[data.test[i]];
    if (op && own[1] !== op || test && own[0] !== test || verdict && names.verdicts[data.verdict[i]] !== verdict ||
        dtype && (data.dtype[i] || "-") !== dtype || clause && data.clause[i] !== clause)
      continue;
    if (texts && !words.every(w => texts[i].includes(w))) continue;
    place.set(i, view.length);
    view.push(i);
  }
  status.textContent = view.length === total ? `${count(total)} finding${total === 1 ? "" : "s"}`
    : `${count(view.length)} of ${count(total)} findings`;
  list.scrollTop = 0;
  for (const row of live.values()) row.remove();
  live = new Map();
  render();
  root.dataset.shown = String(view.length);
}
/* The filters, and the finding that was opened last, as the address has them. */
let shown = "";
const chosen = () => Object.fromEntries(Object.entries(select).map(([k, s]) => [k, s.value]));
const state = () => ({ ...chosen(), q: search.value.trim(), finding: shown });
function change() {
  filter();
  touchstone.write(state());
}
function show(filters) {
  search.value = filters.q || "";
  for (const name in select) {
    select[name].value = filters[name] || "";
    /* What no finding of this report has: nothing passes the filter. */
    if (filters[name] && select[name].value !== filters[name]) {
      select[name].append(new Option(filters[name], filters[name]));
      select[name].value = filters[name];
    }
  }
  filter();
}
async function follow() {
  const wanted = touchstone.read();
  if (!wanted) return;
  const id = wanted.finding || "", i = id ? data.id.findIndex((_, k) => caseId(k) === id) : -1;
  show(wanted);
  touchstone.missing(i < 0 ? id : "");
  shown = i < 0 ? "" : id;
  if (i >= 0 && !place.has(i)) {
    show({});
    touchstone.write(state());
  }
  if (i < 0) {
    if (!id) $("tools").scrollIntoView();
    return;
  }
  await toggle(i, true);
  const row = scrollTo(place.get(i));
  list.scrollIntoView({ block: "nearest" });
  if (row) {
    if (list.classList.contains("short")) row.scrollIntoView({ block: "center" });
    row.firstChild.focus({ preventScroll: true });
  }
  root.dataset.followed = id;
}

/* ---- mouse and keyboard ---- */
function press(i) {
  const yes = !open.has(i);
  shown = yes ? caseId(i) : shown === caseId(i) ? "" : shown;
  touchstone.write(state());
  return toggle(i, yes);
}
function wire() {
  list.addEventListener("scroll", renderSoon, { passive: true });
  list.addEventListener("click", event => {
    const button = event.target.closest(".row > button");
    if (button) press(+button.dataset.i);
  });
  list.addEventListener("keydown", event => {
    const row = event.target.closest(".row"), button = row && row.firstChild;
    if (event.key === "Escape" && row && open.has(+button.dataset.i)) {
      button.focus({ preventScroll: true });
      press(+button.dataset.i);
    }
    if (!button || event.target !== button) return;
    const at = place.get(+button.dataset.i);
    const page = Math.max(1, Math.floor(list.clientHeight / rowHeight) - 1);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0,
                 End: view.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = scrollTo(Math.min(view.length - 1, Math.max(0, to)));
    if (!next) return;
    current = +next.firstChild.dataset.i;
    tabStop();
    next.firstChild.focus({ preventScroll: true });
  });
  addEventListener("keydown", event => {
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      search.focus();
    }
  });
  /* A link to the present address triggers no hashchange. */
  document.addEventListener("click", event => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.hash === location.hash) follow();
  });
  let waiting = 0;
  search.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(change, 120); });
  addEventListener("hashchange", follow);
  addEventListener("resize", () => {
    measureRow();
    for (const i of open.keys()) {
      const row = live.get(i), box = row && row.querySelector(":scope > .body");
      if (box) open.set(i, box.offsetHeight);
    }
    renderSoon();
  });
  addEventListener("beforeprint", () => {
    for (const i of view.slice(0, PRINTED))
      if (!live.has(i)) { const row = makeRow(i); live.set(i, row); list.append(row); }
    for (const [i, row] of live) row.classList.toggle("beyond", place.get(i) >= PRINTED && !open.has(i));
    const more = view.length - PRINTED;
    if (more > 0) list.append(make("p", "note more", `and ${count(more)} more findings on the screen.`));
  });
  addEventListener("afterprint", () => {
    document.querySelectorAll("#list > .more").forEach(e => e.remove());
    for (const row of live.values()) row.classList.remove("beyond");
    render();
  });
}
function measureRow() {
  if (!total) return;
  const probe = makeRow(0);
  list.append(probe);
  rowHeight = probe.offsetHeight || rowHeight;
  probe.remove();
}

/* ---- the self-test for scripts/browser-test.sh: page.html#selftest ---- */
async function selftest() {
  const timed = async (name, work) => {
    const t = performance.now();
    const result = await work();
    root.dataset[name + "Ms"] = (performance.now() - t).toFixed(0);
    return result;
  };
  const expect = (ok, what) => { if (!ok) throw new Error("selftest: " + what); };
  const rows = () => list.querySelectorAll(".row").length;
  expect(rows() > 0 && rows() < 200, "rows in the document");
  const last = total - 1, dtype = data.dtype[last] || "-";
  await timed("filter", async () => show({ verdict: names.verdicts[data.verdict[last]], dtype }));
  const like = i => data.verdict[i] === data.verdict[last] && (data.dtype[i] || "-") === dtype;
  expect(view.length > 0 && view.every(like), "filter");
  show({});
  await timed("search", async () => { search.value = caseId(last) + " #" + data.id[last]; filter(); });
  expect(view.includes(last), "search finds a case by its id");
  search.value = "no such words \u2603";
  filter();
  expect(view.length === 0 && rows() === 0, "search for nothing");
  show({});
  await timed("scroll", async () => {
    for (let k = 0; k <= 20; ++k) {
      scrollTo(Math.round(last * k / 20));
      expect(live.has(view[Math.round(last * k / 20)]), "scroll shows a row");
    }
  });
  await timed("expand", () => toggle(last, true));
  let row = live.get(last);
  expect(row && row.querySelector(".body .facts"), "expanding shows the facts");
  expect(open.get(last) > 20, "an expanded row has a height");
  scrollTo(0);
  await toggle(0, true);
  row = live.get(0);
  expect(row.querySelector(".body").textContent.includes(caseId(0)), "the id is shown");
  expect(!/[\uE000-\uE008]/.test(row.textContent), "quotations are restored");
  expect(live.size < 200, "few rows in the document");
  await toggle(0, false);
  await toggle(last, false);
  location.hash = "#" + touchstone.format({ finding: caseId(Math.floor(last / 2)) });
  await follow();
  expect(place.has([...open.keys()].pop()) && live.has([...open.keys()].pop()), "a link opens its finding");
  root.dataset.selftest = "ok";
}

async function start() {
  const target = location.hash;
  if (typeof DecompressionStream === "undefined") {
    root.dataset.ready = "0";
    const note = $("plain-note");
    if (note) note.append(" This browser cannot unpack the rest: it lacks DecompressionStream.");
    return;
  }
  read(await unpack($("data-findings").textContent));
  total = findings.length();
  const used = (field) => [...new Set(data[field])];
  tools.append(search);
  const tests = used("test").sort((a, b) => a - b);
  addSelect("op", "All operators", [...new Set(tests.map(t => names.tests[t][1]))].map(o => [o, o]));
  const each = list => list.map(v => [v, v]);
  addSelect("test", "All tests", each(tests.map(t => names.tests[t][0])));
  addSelect("verdict", "All verdicts", each(used("verdict").sort((a, b) => a - b).map(v => names.verdicts[v])));
  addSelect("dtype", "All data types", each([...new Set(data.dtype.map(d => d || "-"))].sort()));
  addSelect("clause", "All clauses", each(used("clause").filter(Boolean).sort()));
  tools.append(status);
  tools.hidden = false;
  list.replaceChildren(space);
  list.classList.add("live");
  list.setAttribute("role", "list");
  list.setAttribute("aria-label", "Findings");
  measureRow();
  wire();
  filter();
  root.dataset.findings = String(total);
  root.dataset.readyMs = (performance.now() - started).toFixed(0);
  root.dataset.ready = "1";
  if (target === "#selftest") await selftest();
  else await follow();
}
start();
})();
