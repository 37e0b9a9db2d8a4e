// Small comforts of the frame: "/" goes to the search box, Escape closes menus, notices can be dismissed, where one is can be seen in the navigation, forms are sent once.
(() => {
  "use strict";
  const typing = (target) => target.closest("input, textarea, select, [contenteditable]");
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.ctrlKey && !event.metaKey && !typing(event.target)) {
      event.preventDefault();
      document.getElementById("search-box")?.focus();
    }
    if (event.key === "Escape") closeMenus(null);
  });
  document.addEventListener("click", (event) => {
    closeMenus(event.target.closest(".menu, .drawer"));
    const dismiss = event.target.closest("[data-dismiss]");
    if (dismiss) dismiss.closest("[data-toast]").remove();
  });
  function closeMenus(except) {
    for (const menu of document.querySelectorAll(".menu[open], .drawer[open]")) {
      if (menu === except) continue;
      if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
      menu.open = false;
    }
  }
  // A form is sent once: a second click while the answer is on its way does nothing, and the page says that it works.
  const working = document.getElementById("working");
  function rest() {
    for (const form of document.querySelectorAll("form[aria-busy]")) form.removeAttribute("aria-busy");
    if (working) working.hidden = true;
  }
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.target || form.getAttribute("method") !== "post") return;
    if (form.hasAttribute("aria-busy")) return event.preventDefault();
    form.setAttribute("aria-busy", "true");
    if (working) working.hidden = false;
  });
  addEventListener("pageshow", rest);
  const here = document.querySelector(".sidebar a[aria-current]");
  const bar = here?.closest(".sidebar");
  if (bar && here.offsetTop > bar.clientHeight) bar.scrollTop = here.offsetTop - bar.clientHeight / 2;
  for (const button of document.querySelectorAll("[data-dismiss]")) button.hidden = false;
  document.querySelector(".summary[role=alert]")?.focus();
})();
