/* The box in a table's head that ticks all boxes below it, and how many are ticked beside the form's button.
   Without JavaScript the box stays hidden and the button speaks of the selected. */
(() => {
  "use strict";
  for (const label of document.querySelectorAll("[data-select-all]")) {
    const all = label.querySelector("input");
    const boxes = [...label.closest("table").tBodies[0].querySelectorAll("input[type=checkbox]")];
    const form = label.closest("form");
    const tell = () => {
      const count = boxes.filter((one) => one.checked).length;
      for (const said of form?.querySelectorAll("[data-selected]") ?? []) said.textContent = `${count} selected`;
      for (const button of form?.querySelectorAll("[data-selected-verb]") ?? []) {
        button.textContent = `${button.dataset.selectedVerb} ${count || "selected"}`;
      }
    };
    label.hidden = false;
    tell();
    all.addEventListener("change", () => {
      for (const box of boxes) box.checked = all.checked;
      tell();
    });
    for (const box of boxes) {
      box.addEventListener("change", () => {
        tell();
        all.checked = boxes.every((one) => one.checked);
        all.indeterminate = !all.checked && boxes.some((one) => one.checked);
      });
    }
  }
})();
