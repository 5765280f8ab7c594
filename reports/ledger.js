/* SPDX-License-Identifier: Apache-2.0 */
/* Searches the ledger and opens the entry of a link. Without this script, the page shows all entries. */
(() => {
"use strict";
const root = document.documentElement;
const entries = [...document.querySelectorAll("details.entry")];
const tools = document.getElementById("ledger-tools");
const choices = [
    [ "", "All entries" ], [ "as-decided unlike", "Unspecified and tested" ], [ "unlike", "Other than our decision" ],
    [ "judged", "Decided and judged" ], [ "not-tested", "Not tested" ]
];
const search = document.createElement("input"), select = document.createElement("select"), status = document.createElement("div");
search.type = "search";
search.placeholder = "Search the ledger: ids, clauses, words";
search.setAttribute("aria-label", "Search the ledger");
select.setAttribute("aria-label", "Entries");
for (const [value, text] of choices) select.append(new Option(text, value));
status.className = "count";
status.setAttribute("role", "status");
tools.append(search, select, status);
tools.hidden = false;

const texts = entries.map(e => e.textContent.toLowerCase());
function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean), states = select.value.split(" ").filter(Boolean);
  let shown = 0;
  entries.forEach((e, i) => {
    e.hidden = states.length > 0 && !states.includes(e.dataset.state) || !words.every(w => texts[i].includes(w));
    shown += e.hidden ? 0 : 1;
  });
  for (const group of document.querySelectorAll("#ledger .entries"))
    group.hidden = ![...group.querySelectorAll("details.entry")].some(e => !e.hidden);
  status.textContent = shown === entries.length ? `${shown} entries` : `${shown} of ${entries.length} entries`;
  return shown;
}
function follow() {
  const id = decodeURIComponent(location.hash.slice(1)), target = id && document.getElementById(id);
  if (!target || !/^(ledger|clause)-/.test(id)) return;
  if (target.hidden) {
    search.value = select.value = "";
    filter();
  }
  for (let e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
  target.scrollIntoView();
  root.dataset.ledgerFollowed = id;
}
let waiting = 0;
search.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(filter, 120); });
select.addEventListener("change", filter);
addEventListener("hashchange", follow);
/* A link to the current fragment triggers no hashchange. */
document.addEventListener("click", event => {
  const link = event.target.closest('a[href^="#ledger-"], a[href^="#clause-"]');
  if (link && link.getAttribute("href") === location.hash) follow();
});

/* ---- the self-test for scripts/browser-test.sh: page.html#selftest ---- */
function selftest() {
  const expect = (ok, what) => { if (!ok) throw new Error("selftest of the ledger: " + what); };
  const last = entries[entries.length - 1];
  for (const e of entries) {
    const names = [...e.querySelectorAll("dt")].map(t => t.textContent);
    for (const name of ["Kind", "Problem", "Decision", "This backend"])
        expect(names.includes(name), e.id + " has no " + name);
    expect(e.querySelector("dd:last-of-type").textContent.trim() !== "", e.id + " has no behaviour of this backend");
    expect(e.querySelector(".status").textContent !== "", e.id + " has no status");
  }
  search.value = last.id.slice("ledger-".length) + " " + last.querySelector("dd").textContent;
  expect(filter() > 0 && !last.hidden, "search finds an entry by its id and kind");
  search.value = "no such words \u2603";
  expect(filter() === 0, "search for nothing");
  search.value = "";
  select.value = last.dataset.state === "not-tested" ? "not-tested" : "judged";
  filter();
  expect(entries.every(e => e.hidden === (e.dataset.state !== select.value)), "the filter by state");
  const link = document.querySelector('#clauses a[href^="#ledger-"]'), first = link && document.querySelector(link.hash);
  if (first) {
    first.open = false;
    location.hash = link.hash;
    follow();
    expect(first.open && !first.hidden, "a link from a clause opens its entry");
  }
  select.value = "";
  filter();
  root.dataset.ledgerSelftest = "ok";
}

filter();
root.dataset.ledger = String(entries.length);
root.dataset.ledgerTested = String(entries.filter(e => /^(as-decided|unlike)$/.test(e.dataset.state)).length);
if (location.hash === "#selftest") selftest();
else follow();
})();
