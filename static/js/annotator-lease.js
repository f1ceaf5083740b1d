/* Items are held for a time that every answer renews. Shortly before it ends, the page asks whether somebody is there;
   the button renews it too, and what is chosen on the page stays chosen. When it has ended, the page says that. */
(() => {
  "use strict";
  const HOUR_MS = 3_600_000;
  const stage = document.getElementById("stage");
  const announcement = document.getElementById("announcement");
  let ends = 0;
  let timer = null;

  const box = () => stage.querySelector("[data-lease]");

  function begin(seconds) {
    ends = Date.now() + 1000 * seconds;
    look();
  }

  function look() {
    clearTimeout(timer);
    if (!box()) return;
    const left = ends - Date.now();
    const wait = left - 1000 * box().dataset.soon;
    box().hidden = wait > 0;
    if (wait <= 0) say(left > 0 ? "asking" : "ended");
    // A clock that is set for weeks goes off at once.
    if (left > 0) timer = setTimeout(look, Math.min(wait > 0 ? wait : left, HOUR_MS));
  }

  function say(what) {
    const words = box().querySelector("p");
    const text = words.dataset[what];
    words.textContent = text;
    if (announcement.textContent !== text) announcement.textContent = text;
  }

  async function stay(button) {
    const body = new FormData(button.form);
    body.set(button.name, button.value);
    const asked = fetch(button.form.action, { method: "POST", body, headers: { "HX-Request": "true" } });
    const answer = await asked.catch(() => null);
    if (!box()) return;
    if (answer === null) return say("unheard");
    // Anything else than the time that is left now: one is elsewhere.
    if (answer.status !== 204) return location.assign(button.form.action);
    stage.querySelector("[data-sheet]").focus({ preventScroll: true });
    say("kept");
    begin(answer.headers.get("Lease-Seconds"));
  }

  stage.addEventListener("click", (event) => {
    const button = event.target.closest("[data-lease] button");
    if (!button) return;
    event.preventDefault();
    stay(button);
  });
  document.body.addEventListener("htmx:afterSwap", ({ detail }) => detail.target === stage && begin(box()?.dataset.lease));
  // A computer that slept has not counted the time.
  document.addEventListener("visibilitychange", look);
  begin(box()?.dataset.lease);
})();
