"use strict";
// The tables are on the page already; this sorts, filters and folds them, and draws recordings from the data beside them.
(() => {
  const FOLD = 12, LISTED = 25, LEAD = 0.3;
  const NAMES = { s: "substitution", d: "deletion", i: "insertion", e: "written otherwise, no error" };
  const data = id => JSON.parse(document.getElementById(id).textContent);
  const { systems, recordings } = data("index");
  const figures = new Map(recordings), sounds = new Map();
  for (const block of document.querySelectorAll("script.sound")) sounds.set(block.dataset.rec, block);
  const viewer = document.getElementById("viewer"), bar = document.getElementById("bar"), now = document.getElementById("now");
  let alignments = null, chosen = 0, opened = null, everywhere = "", listed = recordings;
  document.documentElement.classList.add("js");

  // What people said is only ever set as text.
  const { make } = parakh;
  const button = (label, act, attributes = {}) => make("button", { type: "button", onclick: act, ...attributes }, label);
  const clock = seconds => {
    const tenths = Math.round(seconds * 10), two = number => String(number).padStart(2, "0");
    const [h, m, s] = [Math.floor(tenths / 36000), Math.floor(tenths / 600) % 60, tenths % 600 / 10];
    return (h ? `${h}:${two(m)}:` : `${m}:`) + s.toFixed(1).padStart(4, "0");
  };
  const percent = ([errors, n]) => n ? `${(100 * errors / n).toFixed(1)}%` : "n/a";

  // Tables: sorted by their heads, filtered by text and by chosen values, folded when long.
  const tables = [];
  function enhance(table) {
    const sheet = table.closest(".sheet"), body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
    const rows = [...body.rows].map(row => ({ row, text: row.textContent.toLowerCase() }));
    const picks = new Map(), tools = make("div", { class: "tools" }), told = make("output");
    const unfold = button("", () => { open = !open; show(); }, { class: "unfold" });
    let open = rows.length <= FOLD, find = "";
    const passes = ({ row, text }) => text.includes(find) && text.includes(everywhere)
      && [...picks].every(([column, value]) => !value || row.cells[column].textContent === value);
    function show() {
      let kept = 0;
      for (const one of rows) {
        const fits = passes(one);
        one.row.classList.toggle("out", !fits);
        one.row.classList.toggle("folded", fits && !open && kept >= FOLD);
        kept += fits;
      }
      unfold.hidden = kept <= FOLD;
      unfold.textContent = open ? `Show ${FOLD} rows` : `Show all ${kept} rows`;
      told.textContent = kept < rows.length ? `${kept} of ${rows.length} rows` : "";
      sheet.hidden = everywhere !== "" && !kept;
    }
    function sort(head, column) {
      const number = head.dataset.kind === "number", was = head.getAttribute("aria-sort");
      const down = was ? was === "ascending" : number;
      const value = ({ row: { cells: { [column]: cell } } }) =>
        number ? parseFloat(cell.dataset.value ?? cell.textContent) : cell.textContent;
      rows.sort((a, b) => {
        const [x, y] = [value(a), value(b)];
        if (number && (Number.isNaN(x) || Number.isNaN(y))) return Number.isNaN(x) - Number.isNaN(y);
        return (number ? x - y : x.localeCompare(y)) * (down ? -1 : 1);
      });
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      body.append(...rows.map(one => one.row));
      show();
    }
    function pick(label, column) {
      const values = [...new Set(rows.map(({ row }) => row.cells[column].textContent))].sort();
      if (values.length < 2) return;
      const choice = make("select", { "aria-label": label, onchange: () => { picks.set(column, choice.value); show(); } });
      choice.append(make("option", { value: "" }, `every ${label}`), ...values.map(value => make("option", {}, value)));
      tools.append(choice);
    }
    if (rows.length > FOLD) {
      const search = make("input", { type: "search", placeholder: "Find in this table", "aria-label": "Find in this table" });
      search.addEventListener("input", () => { find = search.value.toLowerCase(); show(); });
      tools.append(search);
    }
    if (rows.length > 1) heads.forEach((head, column) => {
      const label = head.textContent;
      head.replaceChildren(button(label, () => sort(head, column), { class: "sort" }));
      if (head.dataset.choose !== undefined) pick(label, column);
    });
    if (tools.childElementCount) sheet.prepend(tools);
    tools.append(told);
    sheet.append(unfold);
    tables.push(show);
    show();
  }

  // Recordings: a list of all of them, in pages.
  function listing() {
    const box = document.getElementById("listing"), body = make("tbody");
    const told = make("output"), search = make("input", { type: "search", placeholder: "Find a recording", "aria-label": "Find a recording" });
    const more = button("", () => { shown += LISTED; show(); }, { class: "unfold" });
    let shown = LISTED;
    const rate = ([, counts], place) => counts[place] && counts[place][1] ? counts[place][0] / counts[place][1] : -1;
    function show() {
      body.replaceChildren(...listed.slice(0, shown).map(([id, counts]) => make("tr", {},
        make("td", {}, make("a", { href: `#rec=${encodeURIComponent(id)}` }, make("bdi", {}, id))),
        ...counts.map(one => make("td", { class: "figure" }, one ? `${percent(one)} (${one[0]} of ${one[1]})` : "–")))));
      more.hidden = listed.length <= shown;
      more.textContent = `Show ${Math.min(LISTED, listed.length - shown)} more`;
      told.textContent = `${listed.length} recordings`;
    }
    search.addEventListener("input", () => {
      listed = recordings.filter(([id]) => id.toLowerCase().includes(search.value.toLowerCase()));
      shown = LISTED;
      show();
    });
    const heads = ["recording", ...systems].map((name, column) => make("th", { scope: "col", "data-kind": column ? "number" : null },
      button(name, event => {
        const head = event.currentTarget.parentNode, was = head.getAttribute("aria-sort"), down = was ? was === "ascending" : column > 0;
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const compare = column ? (a, b) => rate(a, column - 1) - rate(b, column - 1) : (a, b) => a[0].localeCompare(b[0]);
        for (const some of new Set([recordings, listed])) some.sort((a, b) => compare(a, b) * (down ? -1 : 1));
        show();
      }, { class: "sort" })));
    const table = make("table", { class: "rows" }, make("caption", {}, "Open one to see every word"), make("thead", {}, make("tr", {}, ...heads)), body);
    box.replaceChildren(make("div", { class: "tools" }, search, told), make("div", { class: "wide" }, table), more);
    show();
  }

  // One recording: turn by turn, the reference above what the system wrote.
  function word(what, said, written, names, rules, time) {
    const both = [make("span", { class: "r" }, said), make("span", { class: "h" }, written)];
    if (!what) return make("span", { class: "w", "data-t": time }, ...both);
    const label = [NAMES[what], names, said && `said ${said}`, written && `written ${written}`, rules].filter(Boolean).join(", ");
    const shown = what === "e" || names === "LEXICAL" ? null : make("span", { class: "cat", "aria-hidden": "true" }, names);
    return make("span", { class: `w ${what}`, "data-k": what, "data-t": time, role: "group", tabindex: -1, title: label, "aria-label": label }, ...both, shown);
  }
  function turn([speaker, heard, start, end, language, items, other], hue) {
    const length = item => (typeof item === "string" ? item : item[1] || item[2]).length + 1;
    const whole = items.reduce((sum, item) => sum + length(item), 0), timed = start !== null;
    let past = 0;
    const time = size => {
      const at = timed ? (start + (end - start) * past / whole).toFixed(2) : null;
      past += size;
      return at;
    };
    const shown = items.flatMap(item => {
      if (typeof item !== "string") return [word(...item, time(length(item)))];
      return item.split(" ").map(text => word("", text, text, "", "", time(text.length + 1)));
    });
    const wrong = items.some(item => typeof item !== "string" && item[0] !== "e");
    const added = items.every(item => typeof item !== "string" && item[0] === "i");
    const who = [
      !added ? speaker : other === null ? "said by nobody" : `said by ${other}`,
      ...[heard, added ? null : other].map(one => one === null || one === speaker ? null : `written as ${one}`),
    ];
    const when = timed ? `${clock(start)} – ${clock(end)}` : "";
    const hear = timed && sounds.has(opened);
    const head = make("div", { class: "turn-head" },
      hear ? button(`▶ ${when}`, () => play(opened, start, end), { class: "play", "aria-label": `Hear ${when}` }) : null,
      make("bdi", { class: "who" }, who.filter(Boolean).join(" · ")), " ", make("span", { class: "when" }, hear ? "" : when));
    const line = make("div", { class: "words", dir: "auto", lang: language }, ...shown);
    return make("article", { class: `turn ${hue} ${wrong ? "wrong" : "right"}`, "data-who": speaker, "data-start": start, "data-end": end }, head, line);
  }
  const only = make("input", { type: "checkbox", onchange: () => filter() });
  function filter() {
    for (const one of viewer.querySelectorAll(".turn.right")) one.hidden = only.checked;
  }
  function step(way) {
    const place = listed.findIndex(([id]) => id === opened) + way;
    if (place >= 0 && place < listed.length) show(listed[place][0]);
  }
  function error(way) {
    const errors = [...viewer.querySelectorAll(".turn:not([hidden]) .w[data-k]:not(.e)")];
    const at = errors.indexOf(viewer.querySelector(".w.now"));
    const next = errors[at < 0 ? (way > 0 ? 0 : errors.length - 1) : at + way];
    if (next) point(next);
  }
  function point(one) {
    viewer.querySelector(".w.now")?.classList.remove("now");
    one.classList.add("now");
    one.scrollIntoView({ block: "center" });
    one.focus({ preventScroll: true });
    tell(one.dataset.k ? one.getAttribute("aria-label") : "");
  }
  function show(id) {
    opened = id;
    alignments ??= data("alignments");
    history.replaceState(null, "", `#rec=${encodeURIComponent(id)}`);
    const counts = figures.get(id)?.[chosen], turns = Object.hasOwn(alignments, id) ? alignments[id][chosen] : null;
    const title = `${systems.length > 1 ? `${systems[chosen]}: ` : ""}${counts ? `${percent(counts)} wrong (${counts[0]} of ${counts[1]} units)` : "nothing"}`;
    const head = make("div", { class: "viewer-head" }, make("h3", {}, make("bdi", {}, id)), make("span", { class: "figure" }, title),
      button("◀ recording", () => step(-1), { "aria-label": "Previous recording" }), button("recording ▶", () => step(1), { "aria-label": "Next recording" }),
      button("↑ error", () => error(-1), { "aria-label": "Previous error" }), button("↓ error", () => error(1), { "aria-label": "Next error" }),
      make("label", {}, only, " only turns with errors"));
    if (!turns) {
      viewer.replaceChildren(head, make("p", { class: "blank" }, "This recording is not on the page, which holds those with most errors; --json holds all."));
      return;
    }
    const legend = make("ul", { class: "legend" }, make("li", {}, "above what was said, below what was written; errors without a name are LEXICAL"),
      ...Object.entries(NAMES).map(([key, name]) => make("li", {}, make("span", { class: `w ${key}` }, make("span", { class: "h" }, name)))));
    const hues = new Map();
    const hue = who => who === null ? "s-none" : (hues.has(who) || hues.set(who, `s-${hues.size % 6}`), hues.get(who));
    const body = make("div", { class: sounds.has(id) ? "heard" : null }, ...turns.map(one => turn(one, hue(one[0]))));
    viewer.replaceChildren(head, legend, body);
    filter();
  }

  // From a place in a table to its words: the turn at that time, by that speaker if there are several, else the first with that text.
  function seek(at, here, who) {
    const all = [...viewer.querySelectorAll(".turn")];
    let found = all.filter(one => at !== null && one.dataset.start && at >= one.dataset.start - 0.06 && at <= +one.dataset.end + 0.06);
    if (found.some(one => one.dataset.who === who)) found = found.filter(one => one.dataset.who === who);
    if (!found.length) found = all.filter(one => here && one.textContent.includes(here.split(" ")[0]));
    const within = found.flatMap(one => [...one.querySelectorAll(".w")]);
    const near = one => at === null || !one.dataset.t ? 0 : Math.abs(one.dataset.t - at);
    const wrong = within.filter(one => one.dataset.k && (!here || here.includes(one.querySelector(".r").textContent || one.querySelector(".h").textContent)));
    const best = (wrong.length ? wrong : within).sort((a, b) => near(a) - near(b))[0];
    if (best) {
      best.closest(".turn").hidden = false;
      point(best);
    }
  }
  document.addEventListener("click", event => {
    const link = event.target.closest?.("a.go, a[href^='#rec=']");
    if (!link) {
      const one = event.target.closest?.("#viewer .turn .w");
      if (!one) return;
      if (one.dataset.k) point(one);
      if (one.dataset.t && sounds.has(opened)) play(opened, +one.dataset.t, +one.closest(".turn").dataset.end);
      return;
    }
    event.preventDefault();
    const names = [...link.querySelectorAll("bdi")].map(one => one.textContent), of = link.closest(".of-system");
    if (of) choose(+of.dataset.system);
    show(names[0]);
    viewer.scrollIntoView({ behavior: "instant" });
    viewer.focus({ preventScroll: true });
    if (link.matches(".go")) seek(link.dataset.t ? parseFloat(link.dataset.t) : null, link.dataset.here ?? "", names[1] ?? null);
  });

  // Sound: one player, which stops where the words end.
  const audio = make("audio", { controls: "", preload: "auto" }), told = make("p", { role: "status" });
  let until = Infinity, playing = null;
  now.append(told, audio, button("close", () => { audio.pause(); now.hidden = true; }, { class: "play" }));
  function tell(text) {
    told.textContent = text;
    audio.hidden = playing === null;
    now.hidden = !text && playing === null;
  }
  function play(id, start, end) {
    const from = Math.max(0, start - LEAD), begin = () => { audio.currentTime = from; audio.play(); };
    until = end + LEAD;
    if (playing === id) begin();
    else {
      playing = id;
      const block = sounds.get(id);
      audio.src = `data:${block.dataset.type};base64,${block.textContent}`;
      audio.addEventListener("loadedmetadata", begin, { once: true });
    }
    tell(`${id}, ${clock(start)}`);
  }
  audio.addEventListener("timeupdate", () => {
    if (audio.currentTime < until) return;
    audio.pause();
    until = Infinity;
  });
  audio.addEventListener("error", () => { if (playing) tell(`${playing}: this browser cannot play the file.`); });
  function hearable(link) {
    const id = link.querySelector("bdi").textContent;
    if (!link.dataset.t || !sounds.has(id)) return;
    const [start, end] = link.dataset.t.split(" ").map(Number);
    link.before(button("▶", () => play(id, start - 1, end + 1), { class: "play", "aria-label": `Hear ${link.textContent}` }));
  }

  // The bar: which system, and a search through every table.
  function choose(place) {
    chosen = place;
    for (const one of document.querySelectorAll(".of-system")) one.classList.toggle("chosen", +one.dataset.system === place);
    const radio = bar.querySelector(`input[value="${place}"]`);
    if (radio) radio.checked = true;
  }
  if (systems.length > 1) {
    const radios = systems.map((name, place) => make("label", {}, make("input", {
      type: "radio", name: "system", value: place, onchange: () => { choose(place); if (opened !== null) show(opened); },
    }), " ", make("bdi", {}, name)));
    bar.append(make("fieldset", {}, make("legend", {}, "Details of"), ...radios));
  }
  const search = make("input", { type: "search", placeholder: "Find in all tables", "aria-label": "Find in all tables" });
  search.addEventListener("input", () => { everywhere = search.value.toLowerCase(); tables.forEach(one => one()); });
  bar.append(search);

  listing();
  document.querySelectorAll(".sheet table.rows").forEach(enhance);
  document.querySelectorAll("a.go").forEach(hearable);
  choose(0);
  if (location.hash.startsWith("#rec=")) {
    show(decodeURIComponent(location.hash.slice(5)));
    viewer.scrollIntoView({ behavior: "instant" });
  }
})();
