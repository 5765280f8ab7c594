/* SPDX-License-Identifier: Apache-2.0 */
/* What scripts/browser-test.sh adds to a copy of a report: checks of what a reader sees, in a window of any width.
   They use the page as a reader does: headings, links, keys, the address. The result is in the data attributes of
   <html>: checks ("ok", or what is wrong), contrast (the least, in hundredths), marks, link. */
(async () => {
  const root = document.documentElement, wrong = [], asked = location.hash, first = location.search === "?first";
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  /* Of findings that begin alike, two are enough. */
  const expect = (ok, what) => {
    if (!ok && wrong.filter(w => w.slice(0, 16) === what.slice(0, 16)).length < 2) wrong.push(what);
  };
  const pause = ms => new Promise(done => setTimeout(done, ms));
  const until = async test => {
    for (let k = 0; k < 400 && !test(); ++k) await pause(25);
    return test();
  };
  const visible = e => e.getClientRects().length > 0 && getComputedStyle(e).visibility === "visible";
  /* Is it the report of a run? Comparisons and histories have neither ledger nor script. */
  const run = !!document.getElementById("ledger");
  const rows = () => all("#list .row");
  const head = e => `${e.tagName.toLowerCase()} "${e.textContent.trim().slice(0, 40)}"`;

  /* ---- contrast: every text on the page, in both schemes ---- */
  function luminance([r, g, b]) {
    const part = c => (c /= 255) <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
    return .2126 * part(r) + .7152 * part(g) + .0722 * part(b);
  }
  const colour = s => {
    const n = s.match(/[\d.]+/g).map(Number);
    return [n[0], n[1], n[2], n[3] === undefined ? 1 : n[3]];
  };
  const over = (a, b) => [0, 1, 2].map(k => a[k] * a[3] + b[k] * (1 - a[3])).concat(1);
  function groundOf(e) {
    const own = colour(getComputedStyle(e).backgroundColor);
    if (own[3] === 1) return own;
    return over(own, e.parentElement ? groundOf(e.parentElement)
                                     : colour(getComputedStyle(document.body).backgroundColor));
  }
  function opacityOf(e) {
    let product = 1;
    for (; e; e = e.parentElement) product *= +getComputedStyle(e).opacity;
    return product;
  }
  function ratio(front, ground) {
    const [a, b] = [luminance(front), luminance(ground)].sort((x, y) => y - x);
    return (a + .05) / (b + .05);
  }
  function contrast(scheme) {
    let least = 21;
    const note = (e, value, style) => {
      const ground = groundOf(e), front = over([...value.slice(0, 3), value[3] * style], ground),
            r = ratio(front, ground);
      expect(r >= 4.5, `${scheme}: ${head(e)} has a contrast of ${r.toFixed(2)}`);
      least = Math.min(least, r);
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), seen = new Set();
    for (let n = texts.nextNode(); n; n = texts.nextNode()) {
      const e = n.parentElement;
      if (!n.data.trim() || seen.has(e) || /^(SCRIPT|STYLE|OPTION)$/.test(e.tagName) || !visible(e)) continue;
      seen.add(e);
      note(e, colour(getComputedStyle(e).color), opacityOf(e));
    }
    for (const e of all("input")) {
      const style = getComputedStyle(e, "::placeholder");
      note(e, colour(style.color), opacityOf(e) * style.opacity);
    }
    return least;
  }
  /* Let the rules for dark screens hold, or not. */
  function scheme(dark) {
    for (const sheet of document.styleSheets)
      for (const rule of sheet.cssRules)
        if (rule.media && (rule.conditionText.includes("prefers-color-scheme") || rule.wasScheme)) {
          rule.wasScheme = true;
          rule.media.mediaText = dark ? "all" : "not all";
        }
  }
  function checkContrast() {
    scheme(false);
    const light = contrast("light");
    scheme(true);
    const dark = contrast("dark");
    expect(colour(getComputedStyle(document.body).backgroundColor)[0] < 60, "the dark scheme is not dark");
    root.dataset.contrast = String(Math.floor(Math.min(light, dark) * 100));
  }

  /* ---- order and names ---- */
  function checkOrder() {
    const order = ["Causes", "Operators", "Findings", "Smallest cases", "Coverage", "Clauses", "Ledger", "Run"];
    const own = all("main h2").map(e => e.textContent);
    const ordered = order.filter(name => own.includes(name)).join() === own.join();
    expect(!run || own.every(name => order.includes(name)), "sections: " + own.join(", "));
    expect(!run || ordered, "order of the sections: " + own.join(", "));
    if (root.dataset.findings) expect(own[0] === "Causes", "the causes do not follow the verdict: " + own[0]);
    let level = 0;
    for (const e of all("h1, h2, h3, h4")) {
      expect(+e.tagName[1] <= level + 1, "a heading skips a level: " + head(e));
      level = +e.tagName[1];
    }
    expect(all("h1").length === 1, "there is not one h1");
  }
  function nameOf(e) {
    const by = e.getAttribute("aria-labelledby");
    return (e.getAttribute("aria-label") || (by ? (document.getElementById(by) || {}).textContent : e.textContent) ||
            "")
        .trim();
  }
  function checkNames() {
    for (const selector of ["body > header", "body > nav", "body > main", "body > footer"])
      expect(all(selector).length === 1, "no landmark " + selector);
    for (const e of all("nav, section, [role=search], [role=list]"))
      expect(nameOf(e), "no name: " + e.outerHTML.slice(0, 60));
    for (const e of all("button, a[href], summary, input, select")) {
      const own = /^(INPUT|SELECT)$/.test(e.tagName) ? e.getAttribute("aria-label") : nameOf(e);
      expect(own, "no accessible name: " + e.outerHTML.slice(0, 80));
      expect(e.tabIndex <= 0, "a tabindex above 0: " + head(e));
    }
    for (const e of all("table.plain, .matrix table, table.sides, table.runs, table.overview"))
      expect(e.querySelector("caption"), "a table without caption: " + e.className);
    for (const e of all("th")) expect(e.scope, "a cell of a head without scope: " + head(e));
    if (root.dataset.findings)
      expect(all('#tools [role=status]').length === 1, "the number of findings is not announced");
    for (const e of all('a[href^="#"]')) {
      const id = decodeURIComponent(e.hash.slice(1));
      expect((run && /^(op|test|verdict|dtype|clause|q|finding)=/.test(id)) || document.getElementById(id),
             "a link leads nowhere: " + e.hash);
    }
  }

  /* ---- the drawing of a finding ---- */
  async function checkDrawing() {
    /* The story of a row says from where the element should come, and from where it came. */
    const story = /should come from (\w+\[[\d,]+\])(?:, selected by [^;]+)?; it came from (\w+\[[\d,]+\]);/;
    for (const row of rows().slice(0, 8)) {
      row.firstChild.click();
      await until(() => row.querySelector(".body .grid"));
      const told = story.exec(row.textContent), drawing = row.querySelector(".tensors");
      if (!told || !drawing) {
        row.firstChild.click();
        continue;
      }
      const right = all(".grid .g", row), read = all(".grid .s", row), legend = row.querySelector(".legend");
      expect(right.length === 1 && read.length === 1, `${right.length} elements should be read, ${read.length} were`);
      expect(right[0] && right[0].querySelector("i") && read[0] && read[0].querySelector("i"),
             "a mark is only a colour");
      expect(legend && legend.textContent.includes("should be read: " + told[1]),
             "the legend does not name " + told[1]);
      expect(legend && legend.textContent.includes("was read: " + told[2]), "the legend does not name " + told[2]);
      expect(/touchstone explain '/.test(row.textContent), "no command explains the case");
      if (right.length && read.length) root.dataset.marks = "both";
      row.firstChild.click();
      return;
    }
  }

  /* ---- keys and the address ---- */
  const press = (e, key) => e.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
  async function checkKeys() {
    const stops = rows().filter(r => r.firstChild.tabIndex === 0);
    expect(stops.length === 1, `the list holds the tabulator at ${stops.length} rows`);
    const first = rows()[0].firstChild;
    first.focus();
    const style = getComputedStyle(first);
    expect(style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2, "the focus is not visible");
    if (rows().length > 1) {
      press(first, "ArrowDown");
      expect(document.activeElement !== first && document.activeElement.closest(".row"), "ArrowDown does not move");
    }
    const own = document.activeElement;
    own.click();
    await until(() => own.getAttribute("aria-expanded") === "true");
    expect(own.getAttribute("aria-expanded") === "true", "Enter does not open a finding");
    press(own.closest(".row").querySelector("button.copy") || own, "Escape");
    await until(() => own.getAttribute("aria-expanded") === "false");
    expect(own.getAttribute("aria-expanded") === "false" && document.activeElement === own,
           "Escape does not close a finding");
  }
  async function checkAddress() {
    const select = label => all("#tools select").find(e => e.options[0].text === label);
    const choose = (e, value) => {
      e.value = value;
      e.dispatchEvent(new Event("change", {bubbles: true}));
    };
    for (const label of ["All verdicts", "All data types", "All clauses", "All operators", "All tests"])
      expect(select(label), "no filter " + label);
    const verdicts = select("All verdicts"), dtypes = select("All data types"),
          verdict = verdicts && verdicts.options[1].value;
    if (!verdict) return;
    choose(verdicts, verdict);
    choose(dtypes, dtypes.options[1].value);
    if (!rows().length) choose(dtypes, "");
    const row = rows()[Math.min(2, rows().length - 1)], id = row.querySelector(".case").textContent;
    row.firstChild.click();
    await until(() => row.querySelector(".body"));
    const hash = decodeURIComponent(location.hash);
    expect(hash.includes("verdict=" + verdict) && /[a-z]/.test(verdict),
           "the filter is not in the address: " + location.hash);
    expect(hash.includes("finding=" + id), "the opened finding is not in the address by its id: " + location.hash);
    root.dataset.link = location.hash.slice(1);
  }
  /* On a page without findings, too, a link to one says that it is not there. */
  async function checkMissing() {
    location.hash = "#finding=no.such:case:at=all";
    const note = () => document.getElementById("missing");
    expect(await until(() => note() && note().textContent.includes("no.such:case:at=all")),
           "a link to a case that is not here says nothing");
  }
  async function checkLink() {
    const wanted = Object.fromEntries(decodeURIComponent(asked.slice(1))
                                          .split("&")
                                          .map(p => [p.slice(0, p.indexOf("=")), p.slice(p.indexOf("=") + 1)]));
    const open = () => rows().find(r => r.querySelector(".wholeid"));
    expect(await until(open), "the link opens no finding");
    if (!open()) return;
    await pause(100);
    const place = open().getBoundingClientRect();
    expect(open().querySelector(".wholeid").textContent === wanted.finding, "the link opens another finding");
    expect(place.bottom > 0 && place.top < innerHeight, "the finding of the link is not in the window");
    const chosen = all("#tools select").map(e => e.value);
    for (const key of ["verdict", "dtype"])
      expect(!wanted[key] || chosen.includes(wanted[key]), "the link does not restore " + key);
  }
  function checkWidth() {
    expect(root.scrollWidth <= root.clientWidth,
           `at a width of ${root.clientWidth} the page is ${root.scrollWidth} wide: ` +
               all("body *")
                   .filter(e => visible(e) && !e.closest(".scroll, nav, .tensors figure") &&
                                e.getBoundingClientRect().right > root.clientWidth + 1)
                   .slice(0, 3)
                   .map(e => e.outerHTML.slice(0, 60))
                   .join(" | "));
  }

  try {
    const long = !!document.getElementById("data-findings");
    if (long) await until(() => root.dataset.ready === "1");
    if (first)
      await until(() => !run || ((!long || root.dataset.selftest) && root.dataset.ledgerSelftest));
    else if (long && asked)
      await checkLink();
    if (first) {
      checkOrder();
      checkNames();
      if (run) await checkMissing();
      if (long) {
        location.hash = "#q=";
        await pause(50);
        await checkDrawing();
        await checkKeys();
        await checkAddress();
      }
      all("details").slice(0, 40).forEach(e => { e.open = true; });
      checkContrast();
    }
    if (!run) all("details").forEach(e => { e.open = true; });
    checkWidth();
  } catch (problem) { wrong.push(String(problem && problem.stack || problem).slice(0, 300)); }
  root.dataset.width = String(innerWidth);
  root.dataset.checks = wrong.length ? wrong.join("; ") : "ok";
  if (window !== parent) parent.postMessage({...root.dataset}, "*");
})();
