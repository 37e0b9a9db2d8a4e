// Changes between light, dark and the browser's own wish without loading the page again.
(() => {
  "use strict";
  const form = document.querySelector("[data-theme-form]");
  if (!form) return;
  const root = document.documentElement;
  const button = form.querySelector("button");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const now = () => root.dataset.theme || (dark.matches ? "dark" : "light");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const next = now() === "dark" ? "light" : "dark";
    root.dataset.theme = next;
    button.title = `Theme: ${next}`;
    document.cookie = `opilio-theme=${next}; path=/; max-age=31536000; samesite=lax`;
  });
})();
