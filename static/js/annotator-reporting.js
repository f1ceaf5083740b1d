/* A report of a problem is sent without leaving the item. It is announced when it has arrived, and said when it
   has not. */
(() => {
  "use strict";
  const stage = document.getElementById("stage");
  const announcement = document.getElementById("announcement");
  const isReport = (event) => event.detail.target?.matches("[data-report]");

  document.body.addEventListener("htmx:afterSwap", (event) => {
    if (isReport(event)) announcement.textContent = stage.querySelector("[data-report] .sent").textContent;
  });
  for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
    document.body.addEventListener(failure, (event) => {
      if (!isReport(event)) return;
      const problem = event.detail.target.querySelector("[data-report-problem]");
      problem.textContent = problem.dataset.unsent;
      problem.setAttribute("role", "alert");
      problem.hidden = false;
    });
  }
})();
