"use strict";
// Transcripts: what an error is, on pointing and focus; one kind of error picked out; from one error to the next.
(() => {
  const ERRORS = "mark, del, ins", hint = document.getElementById("hint");
  const kindOf = node => [...node.classList].find(name => name.startsWith("k-"))?.slice(2);
  const isolated = text => `\u2068${text}\u2069`;
  const wordOf = event => event.target.closest?.(".transcript")
    && event.target.closest(ERRORS);

  function explain(word) {
    const transcript = word.closest(".transcript");
    const named = transcript.previousElementSibling?.querySelector(`[data-kind="${kindOf(word)}"]`)?.dataset.name;
    const said = word.closest(".ref") !== null;
    const other = word.dataset.k === undefined ? null
      : [...transcript.querySelectorAll(`[data-k="${word.dataset.k}"]`)].find(one => one !== word);
    const what = other ? `${said ? "the system wrote" : "the reference has"} ${isolated(other.textContent)}`
      : word.tagName === "INS" ? "added by the system" : word.tagName === "DEL" ? "missing in the system's transcript"
      : "another word";
    return named ? `${named}: ${what}` : what;
  }
  document.addEventListener("pointerover", event => {
    const word = wordOf(event);
    if (word) word.dataset.hint ??= explain(word);
  });
  document.addEventListener("focusin", event => {
    const word = wordOf(event);
    if (!word) return;
    const box = word.getBoundingClientRect();
    hint.hidden = false;
    hint.replaceChildren(explain(word));
    hint.style.left = `${Math.max(4, Math.min(box.left, innerWidth - hint.offsetWidth - 8))}px`;
    hint.style.top = `${box.top > hint.offsetHeight + 8 ? box.top - hint.offsetHeight - 6 : box.bottom + 6}px`;
  });
  document.addEventListener("focusout", event => { if (wordOf(event)) hint.hidden = true; });

  // A kind picked out: the others fade until its button is pressed again.
  const transcriptOf = node => node.closest(".kinds").parentNode.querySelector(".transcript");
  function pick(button) {
    const on = button.getAttribute("aria-pressed") !== "true", transcript = transcriptOf(button);
    for (const one of button.closest(".kinds").querySelectorAll("[data-kind]"))
      one.setAttribute("aria-pressed", String(on && one === button));
    if (on) transcript.dataset.only = button.dataset.kind; else delete transcript.dataset.only;
    button.closest(".kinds").querySelector(".told").textContent = "";
  }

  // From one error to the next, of the kind picked out; a word and its partner count once.
  const places = new WeakMap();
  function jump(transcript, by) {
    const only = transcript.dataset.only;
    const words = [...transcript.querySelectorAll(only ? `.k-${only}` : ERRORS)]
      .filter(word => word.dataset.k === undefined || word.closest(".ref"));
    if (!words.length) return;
    const here = words.indexOf(places.get(transcript));
    const next = (here < 0 ? (by > 0 ? 0 : words.length - 1) : here + by + words.length) % words.length;
    places.set(transcript, words[next]);
    words[next].tabIndex = -1;
    words[next].scrollIntoView({ block: "center", behavior: "instant" });
    words[next].focus({ preventScroll: true });
    transcript.parentNode.querySelector(".kinds .told").textContent = `${next + 1} of ${words.length}`;
  }
  document.addEventListener("click", event => {
    const button = event.target.closest?.(".kinds button");
    if (!button) return;
    if (button.dataset.kind) pick(button); else jump(transcriptOf(button), Number(button.dataset.jump));
  });
  document.addEventListener("keydown", event => {
    const word = wordOf(event), by = { n: 1, p: -1 }[event.key];
    if (!word || !by || event.ctrlKey || event.metaKey || event.altKey) return;
    places.set(word.closest(".transcript"), word);
    jump(word.closest(".transcript"), by);
  });

  // Times of the sheet show and play the place, as bars and words do.
  function listen(link) {
    const turn = document.getElementById(link.hash.slice(1)), box = turn?.closest(".recording");
    if (box && turn.dataset.at !== undefined) parakh.select(box, Number(turn.dataset.at));
  }
  // The sheet for a clinician: a link moves the conversation beside the summary and leaves the summary in sight; one sheet prints.
  function cite(event, link) {
    const turn = document.getElementById(link.hash.slice(1)), talk = turn?.closest(".talk");
    if (!talk || talk.scrollHeight <= talk.clientHeight || getComputedStyle(talk).position !== "sticky") return;
    event.preventDefault();
    talk.scrollTop += turn.getBoundingClientRect().top - talk.getBoundingClientRect().top - talk.clientHeight / 3;
    for (const one of talk.querySelectorAll(".found")) one.classList.remove("found");
    turn.classList.add("found");
  }
  function printed(section) {
    section.classList.add("to-print");
    document.body.classList.add("one-sheet");
    addEventListener("afterprint", () => {
      section.classList.remove("to-print");
      document.body.classList.remove("one-sheet");
    }, { once: true });
    print();
  }
  document.addEventListener("click", event => {
    const link = event.target.closest?.("a[data-cite]"), button = event.target.closest?.(".clinical > .print");
    if (link) { listen(link); cite(event, link); }
    if (button) printed(button.closest(".clinical"));
  });
})();
