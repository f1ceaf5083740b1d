/* The button beside a link that copies it. Where the browser keeps the clipboard shut, the link is selected. */
(() => {
  "use strict";
  function select(element) {
    const range = document.createRange();
    range.selectNodeContents(element);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  }

  async function copy(button) {
    const said = button.parentElement.querySelector("[data-copied]");
    const text = button.parentElement.querySelector("[data-copy-text]");
    try {
      if (!navigator.clipboard) throw new DOMException("no clipboard");
      await navigator.clipboard.writeText(button.dataset.copy);
      said.textContent = "Copied";
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      select(text);
      said.textContent = "Selected: copy it with your keyboard or menu";
    }
  }

  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }
})();
