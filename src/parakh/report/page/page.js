"use strict";
// Everything of a recording is on the page already; this zooms its timeline, keeps timeline and transcript at the same place, plays
// its sound where there is any, and shows hints.
(() => {
  const { make } = parakh;
  const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];
  const SVG = "http://www.w3.org/2000/svg", SKIP = 5, CHUNK = 1 << 18;
  const ERRORS = { miss: "missed", false_alarm: "invented", confusion: "wrong person", closed: "not scored" };
  const hint = document.getElementById("hint");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  const button = (label, name, act) => make("button", { type: "button", "aria-label": name, onclick: act }, label);
  const clock = seconds => {
    const tenths = Math.round(seconds * 10), two = number => String(number).padStart(2, "0");
    const [h, m, s] = [Math.floor(tenths / 36000), Math.floor(tenths / 600) % 60, Math.floor(tenths / 10) % 60];
    return (h ? `${h}:${two(m)}:` : `${m}:`) + two(s) + (tenths % 10 ? `.${tenths % 10}` : "");
  };

  // Places in time: a bar's is drawn, a turn's or a word's is written beside it.
  const endOf = svg => parseFloat(svg.dataset.end);
  function times(node) {
    if (node.dataset.t !== undefined) return node.dataset.t.split(" ").map(Number);
    const end = endOf(node.ownerSVGElement), start = parseFloat(node.getAttribute("x")) * end / 100;
    return [start, start + parseFloat(node.getAttribute("width")) * end / 100];
  }
  const held = new WeakMap();
  // The timelines, bars and turns of a recording, found once.
  function partsOf(box) {
    if (!held.has(box)) {
      const all = selector => [...box.querySelectorAll(selector)].map(node => ({ node, at: times(node) }));
      held.set(box, { svgs: [...box.querySelectorAll(".timeline svg")], bars: all(".timeline .bar"), turns: all(".transcript .turn[data-t]") });
    }
    return held.get(box);
  }
  const boxOf = node => node.closest(".recording");
  const within = ({ at: [start, stop] }, time) => start <= time && time < Math.max(stop, start + 0.05);

  // Timelines.
  function ticks(svg, width) {
    const end = endOf(svg), axis = svg.querySelector(".axis"), y = parseFloat(axis.dataset.y);
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
    const most = Math.max(1, Math.min(200, endOf(svg) / 2));
    let zoom = 1;
    const apply = (next, at = scroll.clientWidth / 2) => {
      next = Math.min(most, Math.max(1, next));
      const place = (scroll.scrollLeft + at) / zoom;
      zoom = next;
      svg.setAttribute("width", `${100 * zoom}%`);
      scroll.scrollLeft = place * zoom - at;
      ticks(svg, scroll.clientWidth * zoom);
      moveHeads();
    };
    const bar = make("li", { class: "zoom" },
      heard(boxOf(timeline)) ? button("▶", "Play", () => toggle(boxOf(timeline))) : null,
      button("−", "Zoom out", () => apply(zoom / 2)), button("+", "Zoom in", () => apply(zoom * 2)), button("all", "Show all", () => apply(1)));
    timeline.previousElementSibling.append(bar);
    const playhead = make("div", { class: "playhead", hidden: "" });
    playhead.style.height = `${svg.getAttribute("height")}px`; // no style attribute: the leaderboard's pages allow none
    scroll.append(playhead);
    scroll.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      apply(zoom * (event.deltaY < 0 ? 1.25 : 0.8), event.clientX - scroll.getBoundingClientRect().left);
    }, { passive: false });
    let from = null;
    scroll.addEventListener("pointerdown", event => {
      if (event.pointerType === "mouse" && event.button === 0 && zoom > 1) from = { x: event.clientX, left: scroll.scrollLeft };
    });
    // A drag goes on outside, and its end is no click on a bar; all of it is heard here, so that a closed recording leaves nothing.
    scroll.addEventListener("pointermove", event => {
      if (!(event.buttons & 1)) from = null;
      if (from === null) return;
      if (Math.abs(from.x - event.clientX) > 3) scroll.setPointerCapture(event.pointerId);
      scroll.scrollLeft = from.left + from.x - event.clientX;
    });
    scroll.addEventListener("lostpointercapture", () => { from = null; });
    ticks(svg, scroll.clientWidth);
    new ResizeObserver(() => { ticks(svg, scroll.clientWidth * zoom); moveHeads(); }).observe(scroll);
  }
  // A timeline gets its buttons when it comes near: many of them cost nothing at first.
  const near = new IntersectionObserver(found => {
    for (const { target, isIntersecting } of found) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      zoomable(target);
    }
  }, { rootMargin: "400px" });
  parakh.enhance = root => {
    root.querySelectorAll(".timeline").forEach(one => near.observe(one));
    root.querySelectorAll(".transcript").forEach(one => {
      for (const [key, value] of [["tabindex", "0"], ["role", "group"], ["aria-label", "Transcript"]]) one.setAttribute(key, value);
    });
  };

  // The place in the recording that is looked at: marked on its timelines and in its transcript, at once or while it plays.
  let here = null, time = 0;
  function mark(list) {
    if (here) for (const { node } of here.marked) node.classList.remove("now");
    for (const { node } of list) node.classList.add("now");
    if (here) here.marked = list;
  }
  function moveHeads() {
    if (!here) return;
    for (const svg of partsOf(here.box).svgs) {
      const scroll = svg.parentNode, head = scroll.querySelector(".playhead");
      if (!head) continue;
      const x = svg.clientWidth * Math.min(1, time / endOf(svg));
      head.hidden = false;
      head.style.transform = `translateX(${x}px)`;
      if (x < scroll.scrollLeft || x > scroll.scrollLeft + scroll.clientWidth) scroll.scrollLeft = x - scroll.clientWidth / 4;
    }
  }
  function moveTo(seconds) {
    time = seconds;
    const { bars, turns } = partsOf(here.box), current = [...bars, ...turns].filter(one => within(one, seconds));
    if (current.length !== here.marked.length || current.some((one, place) => one !== here.marked[place])) {
      mark(current);
      const turn = current.find(({ node }) => node.matches(".ref .turn")) ?? current.find(({ node }) => node.matches(".turn"));
      if (turn && (follow.checked || audio.paused)) reveal(turn.node);
    }
    moveHeads();
    told();
  }
  // The transcript scrolls in itself, so that the timeline stays where it is.
  function reveal(turn) {
    const list = turn.closest(".transcript"), frame = list.getBoundingClientRect(), place = turn.getBoundingClientRect();
    const head = list.querySelector(".row.head")?.offsetHeight ?? 0;  // it stays at the top and covers what is under it
    if (place.top >= frame.top + head && place.bottom <= frame.bottom) return;
    list.scrollBy({ top: place.top - frame.top - frame.height / 3, behavior: calm.matches ? "auto" : "smooth" });
  }
  function look(box) {
    if (here?.box === box) return;
    mark([]);
    if (here) for (const head of here.box.querySelectorAll(".playhead")) head.hidden = true;
    here = { box, marked: [] };
  }
  // Look at a place, and hear it where there is sound.
  parakh.select = (box, seconds, play = true) => {
    look(box);
    moveTo(seconds);
    if (heard(box)) start(box, seconds, play);
  };

  // Sound: a file beside the page, or one in it; leaderboards have an element of their own for it.
  const own = document.querySelector("audio");
  const audio = own ?? new Audio(), follow = make("input", { type: "checkbox", checked: "" });
  const sounds = new Map([...document.querySelectorAll("script.sound")].map(block => [block.dataset.rec, block]));
  const addresses = new Map();
  const heard = box => Boolean(own) || sounds.has(box?.dataset.rec);
  async function address(name) {
    if (!addresses.has(name)) {
      const block = sounds.get(name);
      addresses.set(name, block.dataset.src ?? URL.createObjectURL(await unpacked(block.textContent, block.dataset.type)));
      block.textContent = "";
    }
    return addresses.get(name);
  }
  async function unpacked(text, type) {
    const parts = [];
    for (let from = 0; from < text.length; from += CHUNK) {  // in pieces, so that the page goes on answering
      const piece = atob(text.slice(from, from + CHUNK)), bytes = new Uint8Array(piece.length);
      for (let k = 0; k < piece.length; k++) bytes[k] = piece.charCodeAt(k);
      parts.push(bytes);
      await new Promise(resolve => setTimeout(resolve));
    }
    return new Blob(parts, { type });
  }
  let playing = null, wanted = 0;
  async function start(box, seconds, play) {
    const turn = ++wanted;
    bar.hidden = Boolean(own);
    if (!own && playing !== box.dataset.rec) {
      playing = box.dataset.rec;
      audio.pause();
      name.textContent = playing;
      name.classList.remove("trouble");
      const from = await address(playing);
      if (turn !== wanted) return;
      audio.src = from;
    }
    audio.currentTime = seconds;
    if (play) audio.play().catch(failed);
  }
  function failed(error) {
    if (error.name === "AbortError") return;
    audio.pause();
    switched();
    name.textContent = sounds.get(playing)?.dataset.src
      ? `${playing}: the sound is not where this page looks for it. Keep the page beside its folder of sounds, or make it with the sound inside (parakh report --audio FOLDER).`
      : `${playing}: this browser cannot play this sound.`;
    name.classList.add("trouble");
  }
  function toggle(box) {
    if (here?.box !== box || (!own && playing !== box.dataset.rec)) parakh.select(box, here?.box === box ? time : 0);
    else if (audio.paused) audio.play().catch(failed);
    else audio.pause();
  }
  function run() {
    if (audio.paused) return;
    if (here) moveTo(audio.currentTime);
    requestAnimationFrame(run);
  }
  const told = () => { now.textContent = Number.isFinite(audio.duration) ? `${clock(Math.floor(time))} of ${clock(Math.floor(audio.duration))}` : clock(Math.floor(time)); };
  const switched = () => {
    const label = audio.paused ? ["▶", "Play"] : ["❚❚", "Pause"];
    for (const one of document.querySelectorAll('button[aria-label="Play"], button[aria-label="Pause"]')) {
      const mine = boxOf(one) ? boxOf(one) === here?.box : true;
      one.textContent = mine ? label[0] : "▶";
      one.setAttribute("aria-label", mine ? label[1] : "Play");
    }
  };
  const jump = by => { if (here) parakh.select(here.box, Math.max(0, time + by), !audio.paused); };
  const now = make("output", { class: "clock", "aria-live": "off" }), name = make("bdi", { class: "whose" });
  const speed = make("select", { "aria-label": "Speed", onchange: () => { audio.playbackRate = Number(speed.value); } },
    ...["0.5", "0.75", "1", "1.25", "1.5", "2"].map(one => make("option", { value: one, ...(one === "1" ? { selected: "" } : {}) }, `${one}×`)));
  const bar = make("div", { id: "player", role: "group", "aria-label": "Sound", hidden: "" },
    button("▶", "Play", () => here && toggle(here.box)), button("−5 s", "Back 5 seconds", () => jump(-SKIP)),
    button("+5 s", "On 5 seconds", () => jump(SKIP)), now, speed, make("label", {}, follow, " follow"), name);
  if (sounds.size) document.body.append(bar);
  audio.addEventListener("play", () => {
    if (!here && own) look(document.querySelector(".recording"));
    switched();
    run();
  });
  audio.addEventListener("pause", switched);
  audio.addEventListener("loadedmetadata", () => { if (audio.currentTime !== time) audio.currentTime = time; told(); });

  // A bar of the timeline belongs to the turn of the transcript with the same speaker and the longest shared time.
  function turnOf(bar) {
    const [start, stop] = times(bar), side = bar.classList.contains("sys") ? ".hyp *" : ".ref *";
    let best = null, most = 0;
    for (const { node, at: [from, to] } of partsOf(boxOf(bar)).turns) {
      if (node.dataset.who !== bar.dataset.who || !node.matches(side)) continue;
      const shared = Math.min(stop, to) - Math.max(start, from);
      if (shared > most) [best, most] = [node, shared];
    }
    return best;
  }
  // When a word of a turn is said, as its place among the letters says; the start of the turn where no word was hit.
  function wordAt(turn, event) {
    const [start, stop] = times(turn), text = turn.querySelector("p");
    const point = document.caretPositionFromPoint?.(event.clientX, event.clientY);
    const [node, offset] = point ? [point.offsetNode, point.offset] : rangeAt(event);
    if (!text.contains(node) || !text.contains(event.target)) return start;
    const before = document.createRange();
    before.setStart(text, 0);
    before.setEnd(node, offset);
    const said = before.toString().replace(/\S*$/, "").length;  // from the beginning of the word
    return start + (stop - start) * said / Math.max(1, text.textContent.length);
  }
  function rangeAt(event) {
    const range = document.caretRangeFromPoint?.(event.clientX, event.clientY);
    return range ? [range.startContainer, range.startOffset] : [null, 0];
  }
  function found(turn) {
    turn.closest("details").open = true;
    reveal(turn);
    turn.classList.add("found");
    setTimeout(() => turn.classList.remove("found"), 2500);
  }
  document.addEventListener("click", event => {
    if (event.target.closest?.("a, button, summary, input, select, label")) return;
    const place = event.target.closest?.(".timeline rect, .transcript [data-t]");
    if (place && boxOf(place) && getSelection().isCollapsed) {
      hint.hidden = true;
      const turn = place.matches(".bar") ? turnOf(place) : null;
      parakh.select(boxOf(place), place.matches(".turn") ? wordAt(place, event) : times(place)[0]);
      if (turn) found(turn);
    }
  });
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, button, a, summary")) return;
    const list = event.target.matches(".transcript") ? event.target : null;
    if (list && (event.key === "n" || event.key === "p")) step(boxOf(list), event.key === "n" ? 1 : -1);
    else if (bar.hidden || !here) return;
    else if (event.key === " ") toggle(here.box);
    else if (event.key === "ArrowLeft") jump(-SKIP);
    else if (event.key === "ArrowRight") jump(SKIP);
    else return;
    event.preventDefault();
  });
  function step(box, by) {
    const starts = partsOf(box).turns.filter(({ node }) => node.matches(".ref *")).map(({ at }) => at[0]).sort((a, b) => a - b);
    const from = here?.box === box ? time : -1;
    const next = by > 0 ? starts.find(start => start > from + 0.01) : starts.findLast(start => start < from - 0.01);
    if (next !== undefined) parakh.select(box, next, !audio.paused);
  }

  // Hints: what a bar is and what was said in it, and the partner of a substituted word.
  function meaning(rect) {
    const [start, stop] = times(rect), kind = Object.keys(ERRORS).find(one => rect.classList.contains(one));
    const what = kind ? ERRORS[kind] : `${rect.dataset.who} (${rect.classList.contains("sys") ? "system" : "reference"})`;
    return `${what}: ${clock(start)} – ${clock(stop)} (${(stop - start).toFixed(1)} s)`;
  }
  function show(event, rect) {
    const turn = rect.classList.contains("bar") ? turnOf(rect) : null;
    hint.hidden = false;
    hint.replaceChildren(rect.dataset.hint ?? meaning(rect), ...(turn ? [turn.querySelector("p").cloneNode(true)] : []));
    hint.style.left = `${Math.max(4, Math.min(event.clientX + 12, innerWidth - hint.offsetWidth - 8))}px`;
    hint.style.top = `${Math.max(4, event.clientY - hint.offsetHeight - 10)}px`;
  }
  let hinted = null;
  const point = event => {
    const rect = event.target.closest?.(".timeline rect, [data-hint]") ?? null;
    if (rect && rect !== hinted) show(event, rect);
    if (!rect) hint.hidden = true;
    hinted = rect;
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
  parakh.button = button;
  parakh.enhance(document);
})();
