// Lists: tick a whole page, count what is ticked, leave empty filters out of the address, fold filters on a telephone.
(() => {
  "use strict";
  function refresh() {
    const picks = [...document.querySelectorAll("[data-pick]")];
    const all = document.querySelector("[data-pick-all]");
    const label = document.querySelector("[data-picked]");
    const picked = picks.filter((box) => box.checked).length;
    if (all) {
      all.hidden = picks.length === 0;
      all.checked = picked > 0 && picked === picks.length;
      all.indeterminate = picked > 0 && picked < picks.length;
    }
    const whole = document.querySelector("[data-pick-filter]");
    if (label && whole?.checked) label.textContent = "With";
    else if (label) label.textContent = picked ? `With ${picked} selected:` : "With selected:";
  }
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-pick-all]")) {
      for (const box of document.querySelectorAll("[data-pick]")) box.checked = event.target.checked;
    }
    if (event.target.matches("[data-pick-all], [data-pick], [data-pick-filter]")) refresh();
  });
  document.addEventListener("htmx:configRequest", (event) => {
    if (!event.target.matches("[data-filters]")) return;
    for (const [name, value] of Object.entries(event.detail.parameters)) {
      if (value === "") event.detail.parameters.delete?.(name) ?? delete event.detail.parameters[name];
    }
  });
  const narrow = matchMedia("(max-width: 36rem)");
  function fold() {
    for (const one of document.querySelectorAll("[data-fold]")) one.open = !narrow.matches || one.dataset.fold === "kept";
  }
  narrow.addEventListener("change", fold);
  fold();
  document.addEventListener("htmx:afterSettle", refresh);
  refresh();
})();
