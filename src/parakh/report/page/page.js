"use strict";
// Everything is on the page already; this sorts the table, zooms the timelines, leads from a bar to its turn and shows hints.
(() => {
  const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];
  const SVG = "http://www.w3.org/2000/svg";
  const hint = document.getElementById("hint");

  // Tables: a column head sorts by the cells' data-value; cells without one (n/a) stay last either way.
  function sort(head) {
    const table = head.closest("table");
    const column = [...head.parentNode.children].indexOf(head);
    const down = head.getAttribute("aria-sort") === "ascending";
    const value = row => parseFloat(row.cells[column].dataset.value ?? "NaN");
    const rows = [...table.tBodies[0].rows].sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
      return down ? y - x : x - y;
    });
    for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    table.tBodies[0].append(...rows);
  }
  document.querySelectorAll(".overview thead button").forEach(button =>
    button.addEventListener("click", () => sort(button.closest("th"))));

  // Timelines.
  const clock = seconds => {
    const whole = Math.floor(seconds + 1e-6), rest = Math.round((seconds - whole) * 10);
    const two = number => String(number).padStart(2, "0");
    const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
    return (h ? `${h}:${two(m)}:` : `${m}:`) + two(s) + (rest ? `.${rest}` : "");
  };

  function ticks(svg, width) {
    const end = parseFloat(svg.dataset.end), axis = svg.querySelector(".axis"), y = parseFloat(axis.dataset.y);
    const step = STEPS.find(one => end / one <= width / 70) ?? STEPS[STEPS.length - 1];
    const put = (name, attributes, text) => {
      const node = document.createElementNS(SVG, name);
      for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
      if (text) node.textContent = text;
      axis.append(node);
    };
    axis.replaceChildren();
    for (let n = 0; n * step <= end; n++) {
      const x = `${100 * n * step / end}%`;
      put("line", { x1: x, x2: x, y1: 0, y2: y + 4 });
      put("text", { x, y: y + 17, "text-anchor": n * step / end > 0.95 ? "end" : "start" }, clock(n * step));
    }
  }

  function zoomable(timeline) {
    const scroll = timeline.querySelector(".scroll"), svg = scroll.querySelector("svg");
    const most = Math.max(1, Math.min(200, parseFloat(svg.dataset.end) / 2));
    let zoom = 1;
    const apply = (next, at = scroll.clientWidth / 2) => {
      next = Math.min(most, Math.max(1, next));
      const place = (scroll.scrollLeft + at) / zoom;
      zoom = next;
      svg.setAttribute("width", `${100 * zoom}%`);
      scroll.scrollLeft = place * zoom - at;
      ticks(svg, scroll.clientWidth * zoom);
    };
    const bar = document.createElement("li");
    bar.className = "zoom";
    for (const [label, name, act] of [["−", "Zoom out", () => zoom / 2], ["+", "Zoom in", () => zoom * 2], ["all", "Show all", () => 1]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.setAttribute("aria-label", name);
      button.addEventListener("click", () => apply(act()));
      bar.append(button);
    }
    timeline.previousElementSibling.append(bar);
    scroll.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      apply(zoom * (event.deltaY < 0 ? 1.25 : 0.8), event.clientX - scroll.getBoundingClientRect().left);
    }, { passive: false });
    let from = null;
    scroll.addEventListener("pointerdown", event => {
      if (event.pointerType === "mouse" && zoom > 1) from = event.clientX + scroll.scrollLeft;
    });
    addEventListener("pointermove", event => { if (from !== null) scroll.scrollLeft = from - event.clientX; });
    addEventListener("pointerup", () => { from = null; });
    ticks(svg, scroll.clientWidth);
    addEventListener("resize", () => ticks(svg, scroll.clientWidth * zoom));
  }
  document.querySelectorAll(".timeline").forEach(zoomable);

  // A bar of the timeline belongs to the turn of the transcript with the same speaker and the longest shared time.
  const times = node => node.dataset.t.split(" ").map(Number);
  function turnOf(bar) {
    const [start, stop] = times(bar), side = bar.classList.contains("sys") ? ".hyp" : ".ref";
    let best = null, most = 0;
    for (const turn of bar.closest(".recording").querySelectorAll(`${side} .turn[data-t]`)) {
      if (turn.dataset.who !== bar.dataset.who) continue;
      const [from, to] = times(turn), shared = Math.min(stop, to) - Math.max(start, from);
      if (shared > most) [best, most] = [turn, shared];
    }
    return best;
  }
  document.addEventListener("click", event => {
    const bar = event.target.closest?.(".bar"), turn = bar && turnOf(bar);
    if (!turn) return;
    hint.hidden = true;
    turn.closest("details").open = true;
    turn.scrollIntoView({ block: "center" });
    turn.classList.add("found");
    setTimeout(() => turn.classList.remove("found"), 2500);
  });

  // Hints: what a bar is and what was said in it, and the partner of a substituted word.
  const show = (event, bar) => {
    const turn = bar.classList.contains("bar") ? turnOf(bar) : null;
    hint.hidden = false;
    hint.replaceChildren(bar.dataset.hint, ...(turn ? [turn.querySelector("p").cloneNode(true)] : []));
    hint.style.left = `${Math.max(4, Math.min(event.clientX + 12, innerWidth - hint.offsetWidth - 8))}px`;
    hint.style.top = `${Math.max(4, event.clientY - hint.offsetHeight - 10)}px`;
  };
  document.querySelectorAll(".scroll rect").forEach(bar => {
    const title = bar.querySelector("title");
    bar.setAttribute("data-hint", title.textContent);
    title.remove();
  });
  let hinted = null;
  const point = event => {
    const bar = event.target.closest?.("[data-hint]") ?? null;
    if (bar && bar !== hinted) show(event, bar);
    if (!bar) hint.hidden = true;
    hinted = bar;
  };
  document.addEventListener("pointermove", point);
  document.addEventListener("pointerdown", point);
  const pair = (event, on) => {
    const word = event.target.closest?.("mark[data-k]");
    if (!word) return;
    word.closest(".transcript").querySelectorAll(`mark[data-k="${word.dataset.k}"]`)
      .forEach(one => one.classList.toggle("paired", on));
  };
  document.addEventListener("mouseover", event => pair(event, true));
  document.addEventListener("mouseout", event => pair(event, false));
  addEventListener("beforeprint", () => document.querySelectorAll("details.task").forEach(one => { one.open = true; }));
})();
