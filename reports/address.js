/* SPDX-License-Identifier: Apache-2.0 */
/* The address of the page says what it shows: #verdict=mismatch&dtype=f16&q=words&finding=CASE-ID. Names stand there,
   not numbers, so that a link is good for the next run, too. Any other fragment is the id of a section or an entry.
 */
"use strict";
const touchstone = (() => {
  const keys = ["op", "test", "verdict", "dtype", "clause", "q", "finding"];
  const decoded = s => {
    try {
      return decodeURIComponent(s);
    } catch { return s; }
  };
  const encoded = s => encodeURIComponent(s).replace(/%(3A|2C|2F|2A)/g, c => decodeURIComponent(c));

  /* The members of the address, or null where it says nothing about findings. */
  function read() {
    const found = {};
    for (const part of location.hash.slice(1).split("&")) {
      const at = part.indexOf("="), key = part.slice(0, Math.max(at, 0));
      if (keys.includes(key)) found[key] = decoded(part.slice(at + 1));
    }
    return Object.keys(found).length ? found : null;
  }
  const format = state => keys.filter(k => state[k]).map(k => k + "=" + encoded(state[k])).join("&");
  /* Without an entry in the browser's history: a filter is no new page. */
  function write(state) {
    const fragment = format(state);
    if (fragment || read()) history.replaceState(null, "", "#" + (fragment || "findings"));
  }
  /* Say above the findings that a case of a link is not in this report; "" says nothing. */
  function missing(id) {
    let note = document.getElementById("missing");
    if (note) note.remove();
    if (!id) return;
    note = document.createElement("p");
    note.id = "missing";
    note.setAttribute("role", "alert");
    note.textContent =
        `This report has no finding of the case ${id}: in this run it passed, was not run, or is not among ` +
        "the findings that the run keeps.";
    const heading = document.getElementById("findings-heading");
    heading.after(note);
    heading.scrollIntoView();
    document.documentElement.dataset.missing = id;
  }
  if (!document.getElementById("names")) {
    const follow = () => missing((read() || {}).finding);
    addEventListener("hashchange", follow);
    follow();
  }

  /* ---- buttons that copy a command ---- */
  function copy(button) {
    const line = button.previousElementSibling;
    const done = ok => {
      button.textContent = ok ? "Copied" : "Select and copy";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    };
    if (navigator.clipboard) {
      navigator.clipboard.writeText(line.textContent).then(() => done(true), () => done(false));
      return;
    }
    /* In some browsers, pages opened from disk have no clipboard. */
    getSelection().selectAllChildren(line);
    done(document.execCommand("copy"));
  }
  document.querySelectorAll("button.copy").forEach(b => { b.hidden = false; });
  document.addEventListener("click", event => {
    const button = event.target.closest("button.copy");
    if (button) copy(button);
  });
  return {read, write, format, missing};
})();
