/* The instructions drawer works without this file; with it, Escape shuts it and so does a press outside. */
(() => {
  "use strict";
  const open = () => document.querySelector("[data-drawer][open]");

  function shut(drawer) {
    drawer.open = false;
    drawer.querySelector("summary").focus();
  }

  document.addEventListener("keydown", (event) => {
    const drawer = open();
    if (drawer && event.key === "Escape") shut(drawer);
  });
  document.addEventListener("click", (event) => {
    const drawer = open();
    if (drawer && !drawer.contains(event.target)) shut(drawer);
  });
})();
