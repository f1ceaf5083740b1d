/* The box in a table's head that ticks all boxes below it; how many are ticked, and what they cost, beside the form's
   button. What acts on a selection is there with one. Without JavaScript the box stays hidden, the button speaks of
   the selected, and all of it is there. */
(() => {
  "use strict";
  for (const label of document.querySelectorAll("[data-select-all]")) {
    const all = label.querySelector("input");
    const boxes = [...label.closest("table").tBodies[0].querySelectorAll("input[type=checkbox]")];
    const form = label.closest("form");
    const tell = () => {
      const ticked = boxes.filter((one) => one.checked);
      const count = ticked.length;
      for (const one of form?.querySelectorAll("[data-with-selection]") ?? []) one.hidden = !count;
      for (const sum of form?.querySelectorAll("[data-selected-cents]") ?? []) {
        const cents = ticked.reduce((all, one) => all + Number(one.dataset.cents ?? 0), 0);
        const said = (cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
        sum.textContent = `${sum.dataset.before}${said}${sum.dataset.behind}`;
      }
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
