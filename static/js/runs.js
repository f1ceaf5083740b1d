/* What is ticked in the grid of models by metrics, counted in the button that starts it. */
(() => {
  "use strict";
  const form = document.querySelector("[data-start]");
  if (!form) return;
  const at = (name) => form.querySelector(`[data-${name}]`);
  const counted = (count) => `${count.toLocaleString("en")} run${count === 1 ? "" : "s"}`;
  const inWords = (seconds) => {
    if (seconds < 90) return `about ${Math.max(1, Math.round(seconds))} s`;
    return seconds < 5400 ? `about ${Math.round(seconds / 60)} min` : `about ${(seconds / 3600).toFixed(1)} h`;
  };
  form.addEventListener("change", () => {
    const ticked = [...form.querySelectorAll("input[name=choice]:checked")];
    const known = ticked.filter((box) => box.dataset.seconds !== "").map((box) => Number(box.dataset.seconds));
    const items = ticked.reduce((sum, box) => sum + Number(box.dataset.items), 0);
    const time = known.length ? inWords(known.reduce((sum, one) => sum + one, 0)) : "time not known yet";
    const some = known.length && known.length < ticked.length ? ` for ${known.length} of them` : "";
    at("runs").textContent = counted(ticked.length);
    at("left").textContent = items.toLocaleString("en");
    at("takes").textContent = ticked.length ? `· ${time}${some}` : "";
    at("button").textContent = ticked.length ? `Start ${counted(ticked.length)}` : "Start runs";
  });
})();
