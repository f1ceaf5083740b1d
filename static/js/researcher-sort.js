/* Tables marked data-sortable: a press on a column's name sorts by it, another press turns the order round.
   A cell's data-value stands in for its text. Rows without a value come last either way. */
(() => {
  "use strict";
  const collator = new Intl.Collator("en", { numeric: true });

  function value(row, column) {
    const cell = row.cells[column];
    return "value" in cell.dataset ? cell.dataset.value : cell.textContent.trim();
  }

  function sort(header, ascending) {
    const body = header.closest("table").tBodies[0];
    const numeric = header.dataset.sort === "number";
    const rows = [...body.rows].map((row) => ({ row, key: value(row, header.cellIndex) }));
    rows.sort((a, b) => {
      if (a.key === "" || b.key === "") return (a.key === "") - (b.key === "");
      const order = numeric ? parseFloat(a.key) - parseFloat(b.key) : collator.compare(a.key, b.key);
      return ascending ? order : -order;
    });
    body.append(...rows.map((entry) => entry.row));
  }

  function arm(root) {
    for (const header of root.querySelectorAll("table[data-sortable] th[data-sort]")) {
      if (header.querySelector("button")) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...header.childNodes);
      header.append(button);
    }
  }

  document.addEventListener("click", (event) => {
    const header = event.target.closest("button.sort")?.closest("th");
    if (!header) return;
    const ascending = header.getAttribute("aria-sort") !== "ascending";
    for (const other of header.parentElement.cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    sort(header, ascending);
  });
  document.body.addEventListener("htmx:load", (event) => arm(event.target));
  arm(document);
})();
