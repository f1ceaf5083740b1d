/* The button that copies what stands beside it: a completion code, an address. Where the browser keeps the clipboard
   shut, that text is selected instead, ready to be copied by hand. A page in another language brings its own words. */
(() => {
  "use strict";
  function reveal() {
    for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
  }

  function select(element) {
    const range = document.createRange();
    range.selectNodeContents(element);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  }

  async function copy(button) {
    const box = button.parentElement;
    const said = box.querySelector("[data-copied]");
    if (!navigator.clipboard) {
      select(box.querySelector("[data-code]"));
      said.textContent = said.dataset.selected ?? "Selected: copy it with your keyboard or menu";
      return;
    }
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      said.textContent = said.dataset.done ?? "Copied";
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      select(box.querySelector("[data-code]"));
      said.textContent = said.dataset.selected ?? "Selected: copy it with your keyboard or menu";
    }
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (button) copy(button);
  });
  document.body.addEventListener("htmx:afterSwap", reveal);
  reveal();
})();
