// Draws every figure of the page: <figure data-chart="id-of-the-json"> with a place for the drawing and buttons.
// Colors come from the stylesheet, so a change of theme draws anew. Files are always of the light theme, on a ground.
(() => {
  "use strict";

  const specOf = (figure) => JSON.parse(document.getElementById(figure.dataset.chart).textContent);

  const themed = (spec, colorOf) =>
    JSON.parse(JSON.stringify(spec), (key, value) => {
      const name = typeof value === "string" && value.match(/^var\((--[\w-]+)\)$/);
      return name ? colorOf(name[1]).trim() : value;
    });

  // What the stylesheets give :root outside any media query, that is in the light theme, whichever is in use.
  const lightColors = () => {
    const found = {};
    const read = (sheet) => {
      for (const rule of sheet.cssRules) {
        if (rule.styleSheet) read(rule.styleSheet);
        if (rule.selectorText !== ":root") continue;
        for (const name of rule.style) found[name] = rule.style.getPropertyValue(name);
      }
    };
    [...document.styleSheets].forEach(read);
    return found;
  };

  // ast: expressions are interpreted, not compiled by eval; the tooltip's style is in comparison.css.
  const embed = (place, spec) =>
    vegaEmbed(place, spec, {
      ast: true,
      actions: false,
      defaultStyle: false,
      renderer: "svg",
      tooltip: { disableDefaultStyle: true },
    });

  const draw = async (figure) => {
    const place = figure.querySelector("[data-drawing]");
    // Shown first: a hidden place has no width to draw to.
    figure.classList.add("is-drawn");
    const style = getComputedStyle(document.documentElement);
    await embed(place, themed(specOf(figure), (name) => style.getPropertyValue(name)));
  };

  // The figure as a file: as wide as it stands on the page, and readable wherever it is laid.
  const onPaper = (figure) => {
    const spec = specOf(figure);
    spec.width = figure.querySelector("[data-drawing]").clientWidth;
    spec.autosize = { type: "fit-x", contains: "padding" };
    spec.config.background = "var(--surface)";
    const light = lightColors();
    return themed(spec, (name) => light[name]);
  };

  const save = async (figure, kind) => {
    const link = document.createElement("a");
    const { view } = await embed(document.createElement("div"), onPaper(figure));
    link.href = await view.toImageURL(kind, kind === "png" ? 2 : 1);
    view.finalize();
    link.download = `${figure.dataset.name}.${kind}`;
    link.click();
  };

  const figures = [...document.querySelectorAll("figure[data-chart]")];
  // What is folded away has no width either: it is drawn when it is unfolded.
  const isShown = (figure) => !figure.closest("details:not([open])");
  const drawAll = () => figures.filter(isShown).forEach(draw);
  figures.forEach((figure) => {
    figure.querySelectorAll("button[data-save]").forEach((button) => {
      button.hidden = false;
      button.addEventListener("click", () => save(figure, button.dataset.save));
    });
  });
  drawAll();
  const drawNew = () =>
    figures.filter((figure) => isShown(figure) && !figure.classList.contains("is-drawn")).forEach(draw);
  // `toggle` does not bubble.
  document.addEventListener("toggle", drawNew, true);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);

  // A choice acts at once; without this script the button beside it does.
  document.querySelectorAll("select[data-acts]").forEach((select) => {
    const button = document.getElementById(select.dataset.acts);
    select.addEventListener("change", () => select.form.requestSubmit(button));
  });
})();
