/* A model's files: refused before they are sent where they are too much, and how far sending them is. */
(() => {
  "use strict";
  const MEGABYTE = 1024 * 1024;
  const formOf = (event) => event.target.closest?.("form[data-most-bytes]");

  const tooMuch = (form) => {
    const files = [...form.querySelector("input[type=file]").files];
    const size = files.reduce((sum, file) => sum + file.size, 0);
    const mb = (bytes) => Math.ceil(bytes / MEGABYTE).toLocaleString("en");
    if (files.length > form.dataset.mostFiles) return `${files.length} files chosen; at most ${form.dataset.mostFiles} are taken.`;
    return size > form.dataset.mostBytes ? `${mb(size)} MB chosen; at most ${mb(form.dataset.mostBytes)} MB are taken.` : "";
  };

  document.addEventListener("change", (event) => {
    const form = formOf(event);
    if (!form || event.target.type !== "file") return;
    const said = form.querySelector("[data-too-much]");
    said.textContent = tooMuch(form);
    said.hidden = !said.textContent;
  });

  document.addEventListener("htmx:beforeRequest", (event) => {
    const form = formOf(event);
    if (!form || event.detail.requestConfig.verb !== "post") return;
    if (tooMuch(form)) event.preventDefault();
    else form.querySelector("[data-sending]").hidden = false;
  });

  document.addEventListener("htmx:xhr:progress", (event) => {
    const form = formOf(event);
    const bar = form?.querySelector("[data-sending] progress");
    if (!bar || bar.value === 100 || !event.detail.total) return;
    bar.value = (100 * event.detail.loaded) / event.detail.total;
    form.querySelector("[data-said]").textContent =
      bar.value === 100 ? "Sent. The server looks at the files…" : `${Math.floor(bar.value)} % sent`;
  });

  // The form comes back with what is wrong with it, which is no failure.
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.requestConfig.elt.matches("form[data-most-bytes]") && event.detail.xhr.status === 422) {
      event.detail.shouldSwap = true;
      event.detail.isError = false;
    }
  });
})();
