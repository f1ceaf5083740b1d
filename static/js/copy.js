/* The button that copies what stands beside it: a completion code, an address. Where the browser keeps the clipboard
   shut, that text is selected instead, ready to be copied by hand; a text that the page does not show is put there
   for that. A page in another language brings its own words. */
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

  function put(button) {
    const shown = document.createElement("code");
    shown.dataset.code = "";
    shown.className = "to-copy";
    shown.textContent = button.dataset.copy;
    button.parentElement.append(shown);
    return shown;
  }

  async function copied(text) {
    // Without https there is no clipboard.
    if (!navigator.clipboard) return false;
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      return false;
    }
  }

  async function copy(button) {
    const box = button.parentElement;
    const said = box.querySelector("[data-copied]");
    if (await copied(button.dataset.copy)) {
      said.textContent = said.dataset.done ?? "Copied";
      return;
    }
    select(box.querySelector("[data-code]") ?? put(button));
    said.textContent = said.dataset.selected ?? "Selected: copy it with your keyboard or menu";
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (button) copy(button);
  });
  document.body.addEventListener("htmx:afterSwap", reveal);
  reveal();
})();
