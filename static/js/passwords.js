/* A button behind each password that shows it, and hides it again before it is sent. */
(() => {
  "use strict";
  for (const field of document.querySelectorAll('input[type="password"]')) {
    const button = document.createElement("button");
    const show = (isShown) => {
      field.type = isShown ? "text" : "password";
      button.textContent = isShown ? "Hide password" : "Show password";
    };
    button.type = "button";
    button.className = "quiet small";
    button.setAttribute("aria-controls", field.id);
    button.addEventListener("click", () => show(field.type === "password"));
    // As a text, browsers would keep it and offer it again.
    field.form?.addEventListener("submit", () => show(false));
    show(false);
    field.after(button);
  }
})();
