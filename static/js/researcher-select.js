/* The box in a table's head that ticks all boxes below it. Without JavaScript it stays hidden. */
(() => {
  "use strict";
  for (const label of document.querySelectorAll("[data-select-all]")) {
    const all = label.querySelector("input");
    const boxes = [...label.closest("table").tBodies[0].querySelectorAll("input[type=checkbox]")];
    label.hidden = false;
    all.addEventListener("change", () => {
      for (const box of boxes) box.checked = all.checked;
    });
    for (const box of boxes) {
      box.addEventListener("change", () => {
        all.checked = boxes.every((one) => one.checked);
        all.indeterminate = !all.checked && boxes.some((one) => one.checked);
      });
    }
  }
})();
