"use strict";
// The page of a submission that waits: it asks where it stands and shows itself anew when that has changed.
(() => {
  const place = document.getElementById("state");
  if (!place || !place.dataset.address) return;
  let pause = 1000;
  const look = async () => {
    try {
      const answer = await fetch(place.dataset.address, { headers: { Accept: "application/json" }, cache: "no-store" });
      if (answer.ok && (await answer.json()).state !== place.dataset.state) {
        location.replace(location.pathname);
        return;
      }
    } catch (error) {
      pause = 5000; // the server is away for a while
    }
    pause = Math.min(pause * 1.2, 5000);
    setTimeout(look, pause);
  };
  setTimeout(look, pause);
})();
