/* What an address points to is unfolded, and the address names what was unfolded last, to be sent to others. */
(() => {
  "use strict";
  function unfold() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    target?.scrollIntoView();
  }

  // Without this script such a link loads the page again with its section open.
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".contents a[href*='#']");
    const fold = link && document.getElementById(link.hash.slice(1));
    if (!fold) return;
    event.preventDefault();
    history.replaceState(null, "", link.hash);
    unfold();
    // From here on the keyboard goes on in the section.
    fold.querySelector(":scope > summary")?.focus();
  });
  addEventListener("hashchange", unfold);
  if (location.hash) unfold();
})();
