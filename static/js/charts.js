// Draws every figure of the page: <figure data-chart="id-of-the-json"> with a place for the drawing and buttons.
// Colors come from the stylesheet, so a change of theme draws anew.
(() => {
  "use strict";

  const themed = (spec, style) =>
    JSON.parse(JSON.stringify(spec), (key, value) => {
      const name = typeof value === "string" && value.match(/^var\((--[\w-]+)\)$/);
      return name ? style.getPropertyValue(name[1]).trim() : value;
    });

  const draw = async (figure) => {
    const spec = JSON.parse(document.getElementById(figure.dataset.chart).textContent);
    const place = figure.querySelector("[data-drawing]");
    // Shown first: a hidden place has no width to draw to.
    figure.classList.add("is-drawn");
    // ast: expressions are interpreted, not compiled by eval; the tooltip's style is in comparison.css.
    const { view } = await vegaEmbed(place, themed(spec, getComputedStyle(document.documentElement)), {
      ast: true,
      actions: false,
      defaultStyle: false,
      renderer: "svg",
      tooltip: { disableDefaultStyle: true },
    });
    figure.view = view;
  };

  const save = async (figure, kind) => {
    const link = document.createElement("a");
    link.href = await figure.view.toImageURL(kind, kind === "png" ? 2 : 1);
    link.download = `${figure.dataset.name}.${kind}`;
    link.click();
  };

  const figures = [...document.querySelectorAll("figure[data-chart]")];
  const drawAll = () => figures.forEach(draw);
  figures.forEach((figure) => {
    figure.querySelectorAll("button[data-save]").forEach((button) => {
      button.hidden = false;
      button.addEventListener("click", () => save(figure, button.dataset.save));
    });
  });
  drawAll();
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);

  // A choice acts at once; without this script the button beside it does.
  document.querySelectorAll("select[data-acts]").forEach((select) => {
    const button = document.getElementById(select.dataset.acts);
    select.addEventListener("change", () => select.form.requestSubmit(button));
  });
})();
