// The table sorts, filters and keeps only the rows in view; packed recordings are opened; the address says what is seen.
(() => {
  const { make } = parakh, ALL = 200, AHEAD = 15;
  const decoded = text => { try { return decodeURIComponent(text); } catch { return text; } };

  // The address: "#place?state", so that a link shows the same view and Back works.
  function parsed(hash) {
    const [place, query] = hash.replace(/^#/, "").split(/\?(.*)/s);
    return { place: decoded(place ?? ""), query: new URLSearchParams(query ?? "") };
  }
  const said = query => String(query) !== "";
  const written = (place, query) => `#${encodeURIComponent(place)}${said(query) ? `?${query}` : ""}`;

  // The table.
  const table = document.getElementById("recordings-table");
  function overview() {
    const frame = table.parentNode, body = table.tBodies[0], more = document.getElementById("more-rows");
    const heads = [...table.tHead.querySelectorAll("[data-key]")];
    const rows = [...body.rows], later = more ? more.textContent : "";
    const waiting = later.slice(later.indexOf("<tbody>") + 7, later.lastIndexOf("</tbody>")).split("</tr>").slice(0, -1);
    const known = table.dataset.slices ? Object.entries(JSON.parse(table.dataset.slices)) : [];
    let view = rows, state = new URLSearchParams(), height = 0, asked = false;
    // Rows beyond the first are text until somebody needs them, or the browser has nothing else to do.
    function take(count) {
      const holder = document.createElement("template");
      holder.innerHTML = waiting.splice(0, count).join("</tr>");
      rows.push(...holder.content.children);
    }
    const complete = () => { if (waiting.length) take(waiting.length); };
    const idle = window.requestIdleCallback ?? (act => setTimeout(act, 50));
    function ahead() {
      if (!waiting.length) return;
      take(200);
      if (waiting.length) idle(ahead); else arrange(frame.scrollTop);
    }
    const numbers = (row, column) => parseFloat(row.cells[column].dataset.value ?? "NaN");
    function sorted(list) {
      const wanted = state.get("sort") ?? "", down = wanted.startsWith("-"), key = wanted.replace(/^-/, "");
      const column = heads.findIndex(head => head.dataset.key === key);
      for (const head of heads) head.removeAttribute("aria-sort");
      (heads[column] ?? heads[0]).setAttribute("aria-sort", column < 0 ? "other" : down ? "descending" : "ascending");
      if (column < 0) return list;  // as it is written: those that went worst first
      if (!column) return [...list].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1) * (down ? -1 : 1));
      const values = new Map(list.map(row => [row, numbers(row, column)]));
      return [...list].sort((a, b) => {
        const [x, y] = [values.get(a), values.get(b)];
        if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);  // n/a is last either way
        return down ? y - x : x - y;
      });
    }
    const find = make("input", { type: "search", placeholder: "Find a recording", "aria-label": "Find a recording" });
    const nameOf = row => row.cells[0].firstElementChild.textContent.toLowerCase();
    // What a row falls under is written as places among the known fields and their values: "0.2 1.0".
    const falls = ([key, value]) => {
      const field = known.findIndex(([name]) => name === key.slice(3));
      return `${field}.${known[field]?.[1].indexOf(value)}`;
    };
    function passing() {
      const text = (state.get("find") ?? "").toLowerCase(), noted = state.get("noted");
      const under = [...state].filter(([key]) => key.startsWith("in.")).map(falls);
      return row => nameOf(row).includes(text) && (!noted || row.dataset.notes)
        && (!under.length || under.every(one => (row.dataset.in ?? "").split(" ").includes(one)));
    }
    function arrange(top = 0) {
      if (said(state)) complete();
      view = sorted(rows.filter(passing()));
      const count = rows.length + waiting.length;
      table.setAttribute("aria-rowcount", String(count + 1));
      told.textContent = `${said(state) && view.length < count ? `${view.length} of ` : ""}${count} recording${count === 1 ? "" : "s"}`;
      frame.classList.toggle("virtual", count > ALL);
      frame.scrollTop = top;
      draw();
    }
    const space = size => make("tr", { class: "space", "aria-hidden": "true" }, make("td", { colspan: String(rows[0].cells.length), style: `height:${size}px` }));
    // Only the rows in view, and some around them, are on the page; those that stay are not touched, so that focus stays too.
    function draw() {
      if (view.length <= ALL && !waiting.length) return void body.replaceChildren(...view);
      height ||= body.querySelector("tr:not(.space)")?.getBoundingClientRect().height || 36;
      const whereNot = table.tHead.offsetHeight, count = view.length + waiting.length;
      const from = Math.max(0, Math.floor((frame.scrollTop - whereNot) / height) - AHEAD);
      const to = Math.min(count, Math.ceil((frame.scrollTop + frame.clientHeight) / height) + AHEAD);
      if (to > view.length && waiting.length) { complete(); return arrange(frame.scrollTop); }
      const kept = view.slice(from, to), keep = new Set(kept), had = body.contains(document.activeElement);
      for (const row of [...body.rows]) if (!keep.has(row)) row.remove();
      let next = body.firstElementChild;
      kept.forEach((row, place) => {
        row.setAttribute("aria-rowindex", String(from + place + 2));
        if (row === next) next = next.nextElementSibling;
        else body.insertBefore(row, next);
      });
      body.prepend(space(from * height));
      body.append(space((count - to) * height));
      if (had && !body.contains(document.activeElement)) frame.focus({ preventScroll: true });
    }
    frame.addEventListener("scroll", () => {
      if (asked || (view.length <= ALL && !waiting.length)) return;
      asked = true;
      requestAnimationFrame(() => { asked = false; draw(); });
    }, { passive: true });

    function change(key, value) {
      if (value) state.set(key, value); else state.delete(key);
      history.replaceState(null, "", written(parsed(location.hash).place, state) || "#");
      arrange();
    }
    heads.forEach(head => head.querySelector("button").addEventListener("click", () => {
      const key = head.dataset.key, was = head.getAttribute("aria-sort"), worst = head.dataset.worst === "high" ? "descending" : "ascending";
      const next = { ascending: "descending", descending: "ascending" }[was] ?? (key === "id" ? "ascending" : worst);  // the worst come first at first
      change("sort", next === "descending" ? `-${key}` : key);
    }));
    const told = make("output"), tools = make("div", { class: "tools" }), picks = new Map();
    const noted = make("input", { type: "checkbox" });
    find.addEventListener("input", () => change("find", find.value));
    noted.addEventListener("change", () => change("noted", noted.checked ? "1" : ""));
    function pick(field, values) {
      const choice = make("select", { "aria-label": field, onchange: () => change(`in.${field}`, choice.value) });
      choice.append(make("option", { value: "" }, `${field}: all`), ...values.map(value => make("option", { value }, value)));
      picks.set(field, choice);
      return choice;
    }
    function tooled() {
      tools.replaceChildren(find, ...known.filter(([, values]) => values.length > 1).map(([field, values]) => pick(field, values)),
        ...(table.dataset.notes ? [make("label", {}, noted, " only with findings")] : []), told);
      frame.before(tools);
    }
    tooled();
    idle(ahead);
    return {
      state: () => state,
      apply(query) {
        state = new URLSearchParams([...query].filter(([key]) => ["sort", "find", "noted"].includes(key) || key.startsWith("in.")));
        find.value = state.get("find") ?? "";
        noted.checked = Boolean(state.get("noted"));
        for (const [field, choice] of picks) choice.value = state.get(`in.${field}`) ?? "";
        arrange();
      },
      whole() { complete(); body.replaceChildren(...sorted(rows.filter(passing()))); },
      draw,
    };
  }
  const overviewed = table ? overview() : null;
  const state = () => overviewed?.state() ?? new URLSearchParams();

  // Packed recordings: compressed HTML, put in where its block stands.
  const note = document.getElementById("left-out");
  function tell(text) {
    if (!note) return;
    note.textContent = text;
    note.setAttribute("role", "status");
    note.scrollIntoView({ block: "center" });
  }
  async function opened(block) {
    if (typeof DecompressionStream === "undefined") {
      return void tell("This browser cannot open packed recordings (it lacks DecompressionStream). One of 2023 or later can.");
    }
    const bytes = Uint8Array.from(atob(block.textContent), sign => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const holder = document.createElement("template");
    holder.innerHTML = await new Response(stream).text();
    const article = holder.content.firstElementChild;
    const close = parakh.button("close", "Close this recording", () => {
      article.replaceWith(block);
      overviewed && go("table");
    });
    close.className = "close";
    article.querySelector("header").append(close);
    if (document.getElementById(block.id) === block) block.replaceWith(article);
    parakh.enhance(article);
  }
  async function show(place, time) {
    const base = /^s\d+-r\d+/.exec(place)?.[0];
    const block = base && document.getElementById(base);
    if (block?.matches("script.packed")) await opened(block);
    else if (base && !block) tell("This recording is not on this page: parakh report --limit 20MB makes room for more.");
    const node = document.getElementById(place) ?? (base && document.getElementById(base));
    if (!node || node.matches("script")) return;
    for (let one = node; one; one = one.parentElement) if (one.matches("details")) one.open = true;
    if (!node.matches("a, button, [tabindex]")) node.tabIndex = -1;
    node.focus({ preventScroll: true });
    node.scrollIntoView({ behavior: "instant" });
    requestAnimationFrame(() => requestAnimationFrame(() => node.scrollIntoView({ behavior: "instant" })));  // what came into view has its height now
    if (Number.isFinite(time)) parakh.select(node.closest(".recording"), time, false);
  }
  function go(place, time = NaN) {
    const query = new URLSearchParams(state());
    if (Number.isFinite(time)) query.set("t", String(time));
    history.pushState(null, "", written(place, query));
    return show(place, time);
  }
  document.addEventListener("click", event => {
    const link = event.target.closest?.('a[href^="#"]');
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    go(parsed(link.getAttribute("href")).place, parseFloat(link.dataset.t));
  });
  function visit() {
    const { place, query } = parsed(location.hash);
    overviewed?.apply(query);
    if (place) show(place, parseFloat(query.get("t")));
  }
  addEventListener("popstate", visit);
  addEventListener("beforeprint", () => overviewed?.whole());
  addEventListener("afterprint", () => overviewed?.draw());
  visit();
})();
