/* Tables marked data-sortable: a press on a column's name sorts by it, another press turns the order round.
   A cell's data-value stands in for its text. Rows without a value come last either way.
   Where a head has two rows, data-column tells which column it is; where lines have a body each, bodies are sorted. */
(() => {
  "use strict";
  const collator = new Intl.Collator("en", { numeric: true });

  // The cell in that column; one that spans several stands in all of them.
  function cell(row, column) {
    let next = 0;
    return [...row.cells].find((one) => column < (next += one.colSpan));
  }

  function value(line, column) {
    const found = cell(line.rows?.[0] ?? line, column);
    return "value" in found.dataset ? found.dataset.value : found.textContent.trim();
  }

  function sort(header, ascending) {
    const table = header.closest("table");
    const column = Number(header.dataset.column ?? header.cellIndex);
    const numeric = header.dataset.sort === "number";
    const lines = table.tBodies.length > 1 ? [...table.tBodies] : [...table.tBodies[0].rows];
    const keyed = lines.map((line) => ({ line, key: value(line, column) }));
    const missing = (key) => key === "" || (numeric && Number.isNaN(parseFloat(key)));
    keyed.sort((a, b) => {
      if (missing(a.key) || missing(b.key)) return missing(a.key) - missing(b.key);
      const order = numeric ? parseFloat(a.key) - parseFloat(b.key) : collator.compare(a.key, b.key);
      return ascending ? order : -order;
    });
    lines[0].parentElement.append(...keyed.map((entry) => entry.line));
  }

  function arm(root) {
    for (const header of root.querySelectorAll("table[data-sortable] th[data-sort]")) {
      if (header.querySelector("button.sort")) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      // What asks about the column stands beside its name and is pressed by itself.
      button.append(...[...header.childNodes].filter((node) => !node.classList?.contains("about")));
      header.prepend(button);
    }
  }

  document.addEventListener("click", (event) => {
    const header = event.target.closest("button.sort")?.closest("th");
    if (!header) return;
    const ascending = header.getAttribute("aria-sort") !== "ascending";
    for (const other of header.closest("thead").querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    sort(header, ascending);
  });
  document.body.addEventListener("htmx:load", (event) => arm(event.target));
  arm(document);
})();
