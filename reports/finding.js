/* SPDX-License-Identifier: Apache-2.0 */
/* Unpacks the findings of a run, and renders one of them as html_render.c does: change both together. */
const findings = (() => {
const $ = id => document.getElementById(id);
const make = (tag, name, text) => {
  const e = document.createElement(tag);
  if (name) e.className = name;
  if (text !== undefined) e.textContent = text;
  return e;
};
const count = n => n.toLocaleString("en-US");
const names = JSON.parse($("names").textContent);
const failing = v => v >= 2 && v <= 11;
const kind = v => failing(v) ? "bad" : v === 1 ? "good" : v === 12 ? "warn" : "dim";

/* ---- unpacking ---- */
async function unpack(base64) {
  const raw = atob(base64), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

/* One array per field, over all blocks: the order of the columns is that of html_findings.c. */
const fields = ["id", "test", "verdict", "dtype", "level", "clause", "name", "tensor", "element", "expected", "actual",
                "source", "differing", "detail", "again", "printed"];
const data = {};
let total = 0;
function read(lines) {
  for (const field of fields) data[field] = [];
  let at = 0;
  while (at < lines.length) {
    const end = lines.indexOf("\n", at);
    const block = JSON.parse(lines.slice(at, end < 0 ? undefined : end));
    let id = 0;
    for (let i = 0; i < block[0].length; ++i) block[0][i] = id += block[0][i];
    fields.forEach((field, k) => { for (const value of block[k]) data[field].push(value); });
    if (end < 0) break;
    at = end + 1;
  }
  total = data.id.length;
}
const caseId = i => data.name[i].startsWith(":") ? names.tests[data.test[i]][0] + data.name[i] : data.name[i];
function parts(s) {
  const m = /^(0x[^ ]*) (?:\((.+)\)$)?/s.exec(s || "");
  return m ? [m[1], m[2] || ""] : ["", ""];
}
/* Replace the codes in a sentence by the fields that it quotes. */
function filled(i, s) {
  if (!s || !/[\uE000-\uE008]/.test(s)) return s;
  const e = parts(data.expected[i]), a = parts(data.actual[i]);
  const quoted = [data.expected[i], data.actual[i], e[0], e[1], a[0], a[1], data.source[i], data.element[i], caseId(i)];
  return s.replace(/[\uE000-\uE008]/g, c => quoted[c.charCodeAt(0) - 0xE000]);
}
let renderings = null;
async function rendering(id) {
  if (!renderings) {
    /* One promise: findings that are opened at the same time wait for the same unpacking. */
    renderings = Promise.all([...document.querySelectorAll("script.data-renderings")].map(e => unpack(e.textContent)))
      .then(texts => Object.assign({}, ...texts.map(t => JSON.parse(t))));
  }
  return (await renderings)[id] || "";
}

/* ---- one finding ---- */
function bits(own, other) {
  const line = document.createDocumentFragment();
  const m = /^(0x[0-9a-fA-F]+)\s*(.*)$/.exec(own) || ["", "", own];
  const digits = (/^0x[0-9a-fA-F]+/.exec(other || "") || [""])[0];
  const cell = make("td", "bits");
  for (let i = 0; i < m[1].length; ++i) {
    const differs = i >= 2 && digits.length === m[1].length && digits[i] !== m[1][i];
    cell.append(differs ? make("em", "", m[1][i]) : m[1][i]);
  }
  const value = /^\((.*)\)$/.exec(m[2]);
  line.append(cell, make("td", "", m[1] && value ? value[1] : m[2]));
  return line;
}
function clauseCell(i) {
  const cell = make("td"), id = data.clause[i];
  cell.colSpan = 2;
  cell.append(make("b", "", id), " ");
  const key = names.tests[data.test[i]][1] + " " + id;
  const row = [...document.querySelectorAll("[data-clause]")].find(e => e.dataset.clause === key);
  if (row) {
    const [, text, page, section, basis, entries] = row.children;
    cell.append(text.textContent, " ");
    const note = make("span", "note");
    note.append(...[...page.childNodes].map(n => n.cloneNode(true)));
    if (page.textContent && section.textContent) note.append(", ");
    note.append(section.textContent);
    cell.append(note);
    if (basis.textContent) cell.append(" ", make("span", "note", "\u00B7 " + basis.textContent));
    const links = [...entries.childNodes].map(n => n.cloneNode(true));
    if (links.length) cell.append(" ", make("span", "note", "\u00B7 ledger: "), ...links);
  }
  return cell;
}
function ledgerCell(ids) {
  const cell = make("td");
  cell.colSpan = 2;
  for (const id of ids.split(" ")) {
    const link = make("a", "", id);
    link.href = "#ledger-" + id;
    cell.append(link, " ");
  }
  return cell;
}
function commands(i) {
  const box = make("div"), id = caseId(i);
  const add = (name, line) => {
    const own = make("div", "again"), button = make("button", "copy", "Copy");
    button.type = "button";
    button.setAttribute("aria-label", "Copy the command: " + name);
    own.append(make("span", "label", name), make("pre", "", line), button);
    box.append(own);
  };
  const again = filled(i, data.again[i]);
  if (again) add("run it again", again);
  const quoted = "'" + id.replace(/'/g, "'\\''") + "'";
  if (/^[\x20-\x7e]+$/.test(id)) add("step by step", "touchstone explain " + quoted + names.explain);
  return box;
}
function body(i) {
  const box = make("div", "body");
  box.append(make("div", "wholeid mono", caseId(i)));
  const detail = filled(i, data.detail[i]);
  if (detail) box.append(make("p", "detail", detail));
  if (data.printed[i])
    box.append(make("p", "note", "The last lines that the backend printed:"), make("pre", "", data.printed[i]));
  const table = make("table", "facts");
  const row = (name, ...cells) => {
    const r = table.insertRow();
    const head = make("th", "", name);
    head.scope = "row";
    r.append(head, ...cells);
  };
  const wide = (text, mono) => {
    const cell = make("td", mono ? "mono" : "", text);
    cell.colSpan = 2;
    return cell;
  };
  if (data.tensor[i] || data.element[i]) {
    const cell = wide((data.tensor[i] || "") + (data.element[i] || ""), true);
    const n = data.differing[i];
    if (n) cell.append(" ", make("span", "note", count(n) + (n === 1 ? " element differs" : " elements differ")));
    row("at", cell);
  }
  if (data.expected[i] !== null) row("expected", bits(data.expected[i], data.actual[i]));
  if (data.actual[i] !== null) row("actual", bits(data.actual[i], data.expected[i]));
  if (data.source[i]) row("source", wide(data.source[i], true));
  if (data.clause[i]) row("clause", clauseCell(i));
  const id = caseId(i), entries = names.examples[id] || names.examples[id.split(",")[0]];
  if (entries) row("ledger", ledgerCell(entries));
  box.append(table);
  const place = make("div");
  box.append(place, commands(i));
  const links = make("div", "links"), link = make("a", "", "Link to this finding");
  link.href = "#" + touchstone.format({ finding: id });
  links.append(link);
  box.append(links);
  /* The text was escaped when the page was written. */
  const ready = rendering(data.id[i]).then(html => { if (html) place.innerHTML = html; });
  return { box, ready };
}
const length = () => total;
return { $, make, count, names, kind, unpack, read, data, length, caseId, parts, filled, body };
})();
