// Small comforts of the frame: "/" goes to the search box, Escape closes menus, notices can be dismissed, where one is can be seen in the navigation.
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
  const here = document.querySelector(".sidebar a[aria-current]");
  const bar = here?.closest(".sidebar");
  if (bar && here.offsetTop > bar.clientHeight) bar.scrollTop = here.offsetTop - bar.clientHeight / 2;
  for (const button of document.querySelectorAll("[data-dismiss]")) button.hidden = false;
  document.querySelector(".summary[role=alert]")?.focus();
})();
