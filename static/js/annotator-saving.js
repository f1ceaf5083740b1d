/* What the page says about saving: "Saving…" while an answer is under way, a sentence beside the options
   when it did not arrive, and an announcement (with focus) when the next item has taken its place. */
(() => {
  "use strict";
  const stage = document.getElementById("stage");
  const announcement = document.getElementById("announcement");

  document.body.addEventListener("htmx:beforeRequest", (event) => {
    const saved = stage.querySelector("[data-saved]");
    if (saved && event.detail.requestConfig.verb === "post") saved.textContent = saved.dataset.saving;
  });

  document.body.addEventListener("htmx:afterSwap", () => {
    const sheet = stage.querySelector("[data-sheet]");
    if (!sheet) return;
    sheet.focus({ preventScroll: true });
    announcement.textContent = sheet.dataset.announce;
  });

  function unsent() {
    const saved = stage.querySelector("[data-saved]");
    const problem = stage.querySelector("[data-problem]");
    if (!saved || !problem) return;
    saved.textContent = saved.dataset.unsaved;
    problem.textContent = problem.dataset.unsent;
    problem.setAttribute("role", "alert");
    problem.hidden = false;
  }
  for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
    document.body.addEventListener(failure, unsent);
  }
})();
