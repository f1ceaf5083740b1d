/* What the page says about saving: "Saving…" while an answer is under way, and an announcement (with focus) when the
   next page has taken its place. An answer, or the form of another stage, that a lost line or a server just starting again has kept from arriving is
   sent again by itself, after pauses that grow, and at once when the browser is back on line. Where only the reply was
   lost, the server knows the submit: it counts once. What else goes wrong is said beside the options. */
(() => {
  "use strict";
  const FIRST_PAUSE_MS = 1_000;
  const LONGEST_PAUSE_MS = 30_000;
  // What a proxy says while the server behind it is away.
  const AWAY = [502, 503, 504];
  const stage = document.getElementById("stage");
  const announcement = document.getElementById("announcement");
  let pause = FIRST_PAUSE_MS;
  let waiting = null;
  // The button by which the form was sent, if one was: it may stand for the answer.
  let pressed = null;

  // That of an item, or of another stage of the path.
  const form = () => stage.querySelector("form[data-item], form[data-resent]");
  // A report of a problem is sent beside the item, and says so itself.
  const isOfItem = (event) => event.detail.target === stage;

  function stop() {
    clearTimeout(waiting);
    waiting = null;
  }

  function again() {
    stop();
    form()?.requestSubmit(form().contains(pressed) ? pressed : null);
  }

  function saved(what) {
    const place = stage.querySelector("[data-saved]");
    if (place) place.textContent = place.dataset[what];
  }

  function say(what) {
    const problem = stage.querySelector("[data-problem]");
    if (!problem) return;
    problem.setAttribute("role", "alert");
    if (problem.hidden || problem.textContent !== problem.dataset[what]) problem.textContent = problem.dataset[what];
    problem.hidden = false;
  }

  function unsent(event) {
    if (!isOfItem(event)) return;
    if (event.target !== form()) return say("unheard");
    saved("unsaved");
    const { status } = event.detail.xhr;
    if (status !== 0 && !AWAY.includes(status)) return say("refused");
    say("trying");
    stop();
    waiting = setTimeout(again, pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  }

  document.body.addEventListener("htmx:beforeRequest", (event) => {
    if (!isOfItem(event) || event.detail.requestConfig.verb !== "post") return;
    stop();
    saved("saving");
  });
  for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
    document.body.addEventListener(failure, unsent);
  }
  window.addEventListener("online", () => waiting !== null && again());
  stage.addEventListener("submit", (event) => {
    if (event.target === form()) pressed = event.submitter;
  });
  // Another choice is sent in its own time.
  stage.addEventListener("chosen", stop);

  document.body.addEventListener("htmx:afterSwap", (event) => {
    if (!isOfItem(event)) return;
    stop();
    pause = FIRST_PAUSE_MS;
    const sheet = stage.querySelector("[data-sheet]");
    if (!sheet) return;
    sheet.focus({ preventScroll: true });
    announcement.textContent = sheet.dataset.announce;
  });
})();
