/* What a reader has unfolded, or typed while the server answers, stays so when that part of the page comes anew. Folds and
   fields are known by their ids. */
(() => {
  "use strict";
  const open = new Set();
  // Since the last request was sent: its answer does not know of them.
  const typed = new Map();
  document.addEventListener(
    "toggle",
    ({ target }) => target.id && (target.open ? open.add(target.id) : open.delete(target.id)),
    true,
  );
  document.addEventListener("input", ({ target }) => target.id && target.matches("textarea, [type=text], [type=number]") && typed.set(target.id, target.value));
  document.addEventListener("htmx:beforeRequest", () => typed.clear());
  function keep() {
    for (const id of open) {
      const fold = document.getElementById(id);
      if (fold) fold.open = true;
    }
    for (const [id, text] of typed) {
      const field = document.getElementById(id);
      if (!field || field.value === text) continue;
      field.value = text;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
  for (const swapped of ["htmx:afterSwap", "htmx:oobAfterSwap"]) document.body.addEventListener(swapped, keep);
})();
