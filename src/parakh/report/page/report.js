// The table sorts, filters and keeps only the rows in view; packed recordings are opened; the address says what is seen.
(() => {
  const { make } = parakh, ALL = 200, AHEAD = 15;
  const decoded = text => { try { return decodeURIComponent(text); } catch { return text; } };

  // The address: "#place?state", so that a link shows the same view and Back works.
  function parsed(hash) {
    const [place, query] = hash.replace(/^#/, "").split(/\?(.*)/s);
    return { place: decoded(place ?? ""), query: new URLSearchParams(query ?? "") };
  }
  const written = (place, query) => `#${encodeURIComponent(place)}${query.size ? `?${query}` : ""}`;

  // The table.
  const table = document.getElementById("recordings-table");
  function overview() {
    const frame = table.parentNode, body = table.tBodies[0], more = document.getElementById("more-rows");
    const heads = [...table.tHead.querySelectorAll("[data-key]")];
    let rows = [...body.rows], view = rows, whole = !more, state = new URLSearchParams(), height = 0, asked = false;
    // Rows beyond the first are text until somebody needs them.
    function complete() {
      if (whole) return;
      whole = true;
      const holder = document.createElement("template");
      holder.innerHTML = more.textContent;
      rows = [...rows, ...holder.content.querySelectorAll("tbody tr")];
    }
    const numbers = (row, column) => parseFloat(row.cells[column].dataset.value ?? "NaN");
    function sorted(list) {
      const wanted = state.get("sort") ?? "id", down = wanted.startsWith("-"), key = wanted.replace(/^-/, "");
      const column = heads.findIndex(head => head.dataset.key === key);
      for (const head of heads) head.removeAttribute("aria-sort");
      (heads[column] ?? heads[0]).setAttribute("aria-sort", down ? "descending" : "ascending");
      if (column < 1) return down ? list.toReversed() : list;
      const values = new Map(list.map(row => [row, numbers(row, column)]));
      return [...list].sort((a, b) => {
        const [x, y] = [values.get(a), values.get(b)];
        if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);  // n/a is last either way
        return down ? y - x : x - y;
      });
    }
    const slices = row => JSON.parse(row.dataset.slices ?? "{}");
    function passes(row) {
      if (!row.dataset.id.toLowerCase().includes((state.get("find") ?? "").toLowerCase())) return false;
      if (state.get("noted") && !row.dataset.notes) return false;
      return [...state].every(([key, value]) => !key.startsWith("in.") || (slices(row)[key.slice(3)] ?? []).includes(value));
    }
    function arrange(top = 0) {
      if (state.size) complete();
      view = sorted(rows.filter(passes));
      const count = whole ? rows.length : rows.length + Number(more.dataset.rows);
      table.setAttribute("aria-rowcount", String(count + 1));
      told.textContent = state.size && view.length < count ? `${view.length} of ${count} recordings` : `${count} recordings`;
      frame.classList.toggle("virtual", count > ALL);
      frame.scrollTop = top;
      draw();
    }
    const space = size => make("tr", { class: "space", "aria-hidden": "true" }, make("td", { colspan: "999", style: `height:${size}px` }));
    // Only the rows in view, and some around them, are on the page; those that stay are not touched, so that focus stays too.
    function draw() {
      if (view.length <= ALL && whole) return void body.replaceChildren(...view);
      height ||= body.querySelector("tr:not(.space)")?.getBoundingClientRect().height || 36;
      const whereNot = table.tHead.offsetHeight, count = whole ? view.length : view.length + Number(more.dataset.rows);
      const from = Math.max(0, Math.floor((frame.scrollTop - whereNot) / height) - AHEAD);
      const to = Math.min(count, Math.ceil((frame.scrollTop + frame.clientHeight) / height) + AHEAD);
      if (to > view.length && !whole) { complete(); return arrange(frame.scrollTop); }
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
      if (asked || (view.length <= ALL && whole)) return;
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
      const next = was ? (was === "ascending" ? "descending" : "ascending") : worst;  // the worst come first at first
      change("sort", next === "descending" ? `-${key}` : key === "id" ? "" : key);
    }));
    const told = make("output"), tools = make("div", { class: "tools" }), picks = new Map();
    const find = make("input", { type: "search", placeholder: "Find a recording", "aria-label": "Find a recording" });
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
      const fields = new Map(), known = table.dataset.slices ? JSON.parse(table.dataset.slices) : {};
      for (const [field, values] of Object.entries(known)) if (values.length > 1) fields.set(field, values);
      tools.replaceChildren(find, ...[...fields].map(([field, values]) => pick(field, values)),
        ...(table.dataset.notes ? [make("label", {}, noted, " only with findings")] : []), told);
      frame.before(tools);
    }
    tooled();
    return {
      state: () => state,
      apply(query) {
        state = new URLSearchParams([...query].filter(([key]) => ["sort", "find", "noted"].includes(key) || key.startsWith("in.")));
        find.value = state.get("find") ?? "";
        noted.checked = Boolean(state.get("noted"));
        for (const [field, choice] of picks) choice.value = state.get(`in.${field}`) ?? "";
        arrange();
      },
      whole() { complete(); body.replaceChildren(...sorted(rows.filter(passes))); },
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
