/* Single-key shortcuts can be switched off and on (WCAG 2.1.4): whoever speaks to the computer, or hits keys by
   accident, chooses nothing by a letter. It holds for the sitting, in this browser; annotator-choosing.js asks for it. */
(() => {
  "use strict";
  const KEPT = "shortcuts-off";
  const stage = document.getElementById("stage");
  const announcement = document.getElementById("announcement");
  const place = () => stage.querySelector("[data-shortcuts]");
  // Where a browser keeps nothing for us, the page itself does, until it is left.
  let kept = null;
  try {
    kept = localStorage.getItem(KEPT);
  } catch {}

  function keep(sitting) {
    kept = sitting;
    try {
      if (sitting) localStorage.setItem(KEPT, sitting);
      else localStorage.removeItem(KEPT);
    } catch {}
  }

  function show() {
    if (!place()) return;
    const off = kept === place().dataset.shortcuts;
    const button = place().querySelector("button");
    document.documentElement.dataset.keys = off ? "off" : "on";
    button.textContent = off ? button.dataset.on : button.dataset.off;
    place().hidden = false;
  }

  stage.addEventListener("click", (event) => {
    const button = event.target.closest("[data-shortcuts] button");
    if (!button) return;
    const turnsOff = kept !== place().dataset.shortcuts;
    keep(turnsOff ? place().dataset.shortcuts : null);
    show();
    announcement.textContent = turnsOff ? button.dataset.saidOff : button.dataset.saidOn;
  });
  document.body.addEventListener("htmx:afterSwap", show);
  window.addEventListener("pageshow", show);
})();
