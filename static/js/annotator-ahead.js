/* The next item comes along with each page and is shown as soon as an answer is sent: to be looked at, until the server's
   own page takes its place. Where the answer does not arrive, the item that it is for is shown again. */
(() => {
  "use strict";
  const CHANGES = [".place", ".stimulus", ".question"];
  const stage = document.getElementById("stage");
  let focused = null;
  const sheet = () => stage.querySelector("[data-sheet]:not([data-looked-at])");
  const ahead = () => stage.querySelector("[data-looked-at]");

  /* As the page looks now, with the next item on it. */
  function drawn(next) {
    const copy = sheet().cloneNode(true);
    copy.dataset.lookedAt = "";
    copy.inert = true;
    copy.removeAttribute("aria-labelledby");
    copy.querySelector(".begins")?.remove();
    copy.querySelector("progress").value += 1;
    for (const place of CHANGES) copy.querySelector(place).replaceWith(next.querySelector(place).cloneNode(true));
    for (const one of copy.querySelectorAll("[id]")) one.removeAttribute("id");
    return copy;
  }

  function look() {
    const next = stage.querySelector("template[data-ahead]");
    if (!next || ahead()) return;
    focused = document.activeElement;
    stage.append(drawn(next.content));
    sheet().hidden = true;
    window.scrollTo(0, 0);
    stage.dispatchEvent(new CustomEvent("ahead", { detail: next.dataset.ahead }));
  }

  function back() {
    if (!ahead()) return;
    ahead().remove();
    sheet().hidden = false;
    // htmx knows by the focus which button a form is sent by.
    focused.focus({ preventScroll: true });
    stage.dispatchEvent(new Event("back"));
  }

  document.body.addEventListener("htmx:beforeSend", ({ target }) => target.matches("form[data-item]") && look());
  for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
    document.body.addEventListener(failure, back);
  }
})();
