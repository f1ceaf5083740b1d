/* What a reader has unfolded stays so when that part of the page comes anew; folds are known by their ids. */
(() => {
  "use strict";
  const open = new Set();
  document.addEventListener(
    "toggle",
    ({ target }) => target.id && (target.open ? open.add(target.id) : open.delete(target.id)),
    true,
  );
  function unfold() {
    for (const id of open) {
      const fold = document.getElementById(id);
      if (fold) fold.open = true;
    }
  }
  for (const swapped of ["htmx:afterSwap", "htmx:oobAfterSwap"]) document.body.addEventListener(swapped, unfold);
})();
