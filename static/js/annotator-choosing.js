/* Choosing an answer: by pointer or key it is selected, and a moment later the page moves on.
   Until then Undo (button, Escape, Z) takes it back; Enter moves on at once. Arrow keys only select,
   so that whoever walks through the options by keyboard is not carried off. Where the study says so
   (data-advance="enter"), choosing only selects too. Letters and digits do nothing while they are switched
   off (annotator-shortcuts.js). */
(() => {
  "use strict";
  const PAUSE_MS = 800;
  const SEEN = "seen";
  const stage = document.getElementById("stage");
  let shown = { position: null, at: 0, hidden: 0 };
  // The item that an answer is under way for, while the next one may be looked at.
  let answered = null;
  // For how long items were seen before they left the screen, in this tab; null of those that were answered.
  let seen = {};
  try {
    seen = JSON.parse(sessionStorage.getItem(SEEN)) ?? {};
  } catch {}
  let away = null;
  let choices = 0;
  let before = null;
  let timer = null;
  let arrowed = false;
  let sending = false;

  const form = () => stage.querySelector("form[data-item]");
  const options = () => [...form().querySelectorAll("input[data-key]")];
  const chosen = () => options().find((option) => option.checked) ?? null;

  function begin(loaded) {
    clearTimeout(timer);
    timer = null;
    sending = false;
    const position = form()?.elements.position.value ?? null;
    settle(position);
    if (!form()) return;
    before = chosen();
    // The same item once more, with a message, or one that was looked at before: the clock runs on.
    if (position !== shown.position) see(position, loaded);
    say("");
    if (loaded) takeUp(options().find(({ checked, defaultChecked }) => checked && !defaultChecked));
  }

  /* Whoever chose while this file was on its way has chosen. How long they took nobody can say. */
  function takeUp(early) {
    if (!early) return;
    // Focus is visible on what the keyboard has walked to.
    if (early.matches(":focus-visible")) wait();
    else choose(early);
    for (const time of ["response_ms", "hidden_ms"]) form().elements[time].value = "";
  }

  /* The server has answered with the item at this place. The one that was sent has its answer, or is here again: then
     its own clock runs on. */
  function settle(position) {
    if (answered?.position === position && shown !== answered) {
      keep(shown);
      shown = answered;
    } else if (answered && answered.position !== position) seen[answered.place] = null;
    answered = null;
  }

  /* The clock starts with the first paint: behind the second frame from here, or when the browser says that a page it
     has loaded was painted; in a tab that nobody sees, when it is seen. A choice made before that counts from here. Of
     an item that was seen before and has no answer, it goes on where it stopped. */
  function see(position, loaded) {
    keep(shown);
    const place = `${form().action} ${position}`;
    const { took, hidden } = seen[place] ?? { took: 0, hidden: 0 };
    const starting = (at) => ({ at: at - took - hidden, hidden });
    const item = { position, place, ...starting(performance.now()) };
    shown = item;
    away = document.hidden ? performance.now() : null;
    const painted = () => {
      const first = loaded && performance.getEntriesByName("first-contentful-paint")[0];
      Object.assign(item, first ? { at: starting(first.startTime).at } : starting(performance.now()));
    };
    requestAnimationFrame(() => requestAnimationFrame(painted));
  }

  /* An item leaves the screen, or the page does. */
  function keep(item) {
    if (item.position === null || seen[item.place] === null) return;
    const unseen = item === shown && away !== null ? performance.now() - away : 0;
    seen[item.place] = { took: performance.now() - item.at - item.hidden - unseen, hidden: item.hidden + unseen };
  }

  function back() {
    if (away !== null) shown.hidden += performance.now() - away;
    away = null;
  }

  /* What goes along with a choice: its times, and which of the choices made on this page it is. */
  function note() {
    form().querySelector("[data-problem]").hidden = true;
    const { response_ms, hidden_ms, submission } = form().elements;
    response_ms.value = Math.round(performance.now() - shown.at - shown.hidden);
    hidden_ms.value = Math.round(shown.hidden);
    submission.value = `${submission.value.split(".")[0]}.${++choices}`;
    stage.dispatchEvent(new Event("chosen"));
  }

  /* One of the words that the page brings, in its own language: "moving", "enter", "undone". */
  function say(word) {
    const moment = form().querySelector("[data-moment]");
    moment.textContent = moment.dataset[word] ?? "";
    form().querySelector("[data-undo]").hidden = timer === null;
  }

  function choose(option) {
    if (sending) return;
    stop();
    option.checked = true;
    option.focus({ preventScroll: true });
    note();
    if (form().dataset.advance === "enter") return wait();
    timer = setTimeout(send, PAUSE_MS);
    say("moving");
  }

  function stop() {
    clearTimeout(timer);
    timer = null;
  }

  function wait() {
    stop();
    say(matchMedia("(hover: none) and (pointer: coarse)").matches ? "" : "enter");
  }

  function undo() {
    if (timer === null) return;
    stop();
    for (const option of options()) option.checked = option === before;
    say("undone");
  }

  function send() {
    stop();
    form()?.requestSubmit();
  }

  /* A page with nothing to choose: Enter goes on, unless something is there to be pressed. */
  function onward(event) {
    const next = stage.querySelector("form[data-onward]");
    if (event.key !== "Enter" || event.repeat || !next || event.target.closest("a, button, summary, input, textarea")) return;
    if (!stage.querySelector("[data-drawer][open]")) next.requestSubmit();
  }

  function optionFor(event) {
    const pressed = event.key.toUpperCase();
    const latin = /^[0-9A-Z]$/.test(pressed);
    return options().find(({ dataset: { key } }) =>
      // Where the layout has other letters or signs on the key, the place of the key decides.
      latin ? key === pressed : [`Key${key}`, `Digit${key}`, `Numpad${key}`].includes(event.code),
    );
  }

  function typing(target) {
    return target.isContentEditable || target.matches("textarea, select, input:not([type=radio])");
  }

  document.addEventListener("keydown", (event) => {
    arrowed = event.key.startsWith("Arrow");
    if (!form()) return onward(event);
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (typing(event.target) || event.repeat || stage.querySelector("[data-drawer][open]")) return;
    const shortcuts = document.documentElement.dataset.keys !== "off";
    if (event.key === "Escape" || (shortcuts && event.key.toLowerCase() === "z")) return undo();
    // Inside the form Enter submits by itself; elsewhere it does so unless something is there to be pressed.
    if (event.key === "Enter" && !event.target.closest("form, a, button, summary")) return send();
    const option = shortcuts && optionFor(event);
    if (option) {
      event.preventDefault();
      choose(option);
    }
  });
  document.addEventListener("keyup", () => (arrowed = false));
  document.addEventListener("pointerdown", () => (arrowed = false));

  stage.addEventListener("click", (event) => {
    if (event.target.closest("[data-undo]")) return undo();
    // By the click: when the form is sent, htmx has read its fields before this file hears of it.
    if (event.target.closest("[data-cannot-judge]")) return note();
    if (event.target.closest(":is([data-drawer], [data-report]) > summary")) {
      // Reading the instructions takes longer than the moment, as does writing a report: the choice waits.
      if (timer !== null) wait();
      return;
    }
    if (!event.target.matches("input[data-key]")) return;
    if (arrowed) {
      note();
      wait();
    } else choose(event.target);
  });

  stage.addEventListener("submit", (event) => {
    if (event.target !== form()) return;
    stop();
    sending = true;
    answered ??= shown;
    say("");
  });
  // Someone who leaves within the moment has chosen; what they chose is not lost.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) return back();
    away = performance.now();
    if (timer !== null) send();
  });
  stage.addEventListener("ahead", ({ detail: position }) => {
    answered = shown;
    see(position, false);
  });
  stage.addEventListener("back", () => (shown = answered));
  document.body.addEventListener("htmx:beforeRequest", stop);
  document.body.addEventListener("htmx:afterRequest", () => (sending = false));
  document.body.addEventListener("htmx:afterSwap", ({ detail }) => detail.target === stage && begin(false));
  window.addEventListener("pagehide", () => {
    keep(shown);
    try {
      sessionStorage.setItem(SEEN, JSON.stringify(seen));
    } catch {}
  });
  window.addEventListener("pageshow", (event) => begin(!event.persisted));
})();
