"use strict";
// A turn's button, or a double click on a bar, plays the recording from there.
(() => {
  const audio = document.querySelector("audio");
  const start = node => parseFloat(node.dataset.t.split(" ")[0]);
  document.querySelectorAll(".turn[data-t] .when").forEach(when => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "plain small";
    button.textContent = "▶";
    button.setAttribute("aria-label", `Play from ${when.textContent.split(" ")[0]}`);
    button.addEventListener("click", () => play(start(when.closest(".turn"))));
    when.before(button);
  });
  const play = seconds => { audio.currentTime = seconds; audio.play(); };
  document.addEventListener("dblclick", event => {
    const bar = event.target.closest?.("rect[data-t]");
    if (bar) play(start(bar));
  });
})();
