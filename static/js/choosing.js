// A choice acts at once; without this script the button beside it does.
(() => {
  "use strict";

  document.querySelectorAll("select[data-acts]").forEach((select) => {
    const button = document.getElementById(select.dataset.acts);
    select.addEventListener("change", () => select.form.requestSubmit(button));
  });
})();
