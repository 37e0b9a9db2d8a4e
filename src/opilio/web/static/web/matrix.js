// The privilege matrix: find a privilege by its words, and say how many were changed.
(() => {
  "use strict";
  const form = document.querySelector("[data-matrix-form]");
  if (!form) return;
  const filter = form.querySelector("[data-matrix-filter]");
  const changes = form.querySelector("[data-changes]");
  const none = form.querySelector("[data-matrix-none]");
  const rows = [...form.querySelectorAll("[data-privilege]")];
  filter.hidden = false;
  filter.addEventListener("input", (event) => {
    const words = event.target.value.toLowerCase().replaceAll("_", " ").split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const text = row.dataset.privilege.toLowerCase().replaceAll("_", " ");
      row.hidden = !words.every((word) => text.includes(word));
    }
    for (const group of form.querySelectorAll("[data-matrix-group]")) {
      group.hidden = !group.querySelector("[data-privilege]:not([hidden])");
    }
    none.hidden = rows.some((row) => !row.hidden);
  });
  filter.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
  });
  function count() {
    const changed = form.querySelectorAll("input[type=radio]:checked:not([data-stored])").length;
    changes.textContent = changed ? `${changed} ${changed === 1 ? "privilege" : "privileges"} changed, not saved yet` : "";
  }
  form.addEventListener("change", count);
  count();
})();
