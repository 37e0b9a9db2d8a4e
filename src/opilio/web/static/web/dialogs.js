// Opens the question that htmx fetched in a dialog; without JavaScript it is a page of its own.
(() => {
  "use strict";
  const dialog = document.getElementById("dialog");
  if (!dialog) return;
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id === "dialog-body") dialog.showModal();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest("[data-close]")) {
      event.preventDefault();
      dialog.close();
    }
  });
})();
