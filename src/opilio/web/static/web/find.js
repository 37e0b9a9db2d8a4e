// Suggestions while somebody types, as a list box below the search box; "/" goes to the box. Without it, search works.
(() => {
  "use strict";
  const WAIT = 120; // milliseconds after the last key
  const form = document.querySelector("[data-find]");
  if (!form) return;
  const box = form.querySelector("input[type=search]");
  const told = form.querySelector("[data-find-told]");
  const list = document.createElement("ul");
  let found = [], chosen = -1, timer = 0, asking = null, typed = box.value;

  list.id = "find-list";
  list.className = "find-list-box";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  box.parentElement.append(list);
  for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-controls": list.id, "aria-expanded": "false" })) box.setAttribute(name, value);

  function close() {
    clearTimeout(timer);
    asking?.abort();
    list.hidden = true;
    chosen = -1;
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
  }

  function option(one, number) {
    const item = document.createElement("li");
    item.id = `find-option-${number}`;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", "false");
    item.append(Object.assign(document.createElement("span"), { textContent: one.text }));
    if (one.note) item.append(Object.assign(document.createElement("small"), { textContent: one.note }));
    item.addEventListener("mousedown", (event) => event.preventDefault());
    item.addEventListener("click", () => location.assign(one.path));
    return item;
  }

  function show(answer) {
    const [, texts = [], notes = [], paths = []] = answer;
    found = texts.map((text, place) => ({ text, note: notes[place] || "", path: paths[place] }));
    list.replaceChildren(...found.map(option));
    chosen = -1;
    list.hidden = found.length === 0;
    box.setAttribute("aria-expanded", String(!list.hidden));
    box.removeAttribute("aria-activedescendant");
    told.textContent = found.length ? `${found.length} suggestions` : "";
  }

  async function ask() {
    asking?.abort();
    asking = new AbortController();
    const mark = form.dataset.find.includes("?") ? "&" : "?";
    try {
      const answer = await fetch(`${form.dataset.find}${mark}q=${encodeURIComponent(box.value)}`, { signal: asking.signal });
      if (answer.ok && document.activeElement === box) show(await answer.json());
    } catch (error) {
      if (error.name !== "AbortError") close(); // no network: the box works without suggestions
    }
  }

  function choose(step) {
    const items = [...list.children];
    chosen = chosen + step < -1 ? items.length - 1 : chosen + step >= items.length ? -1 : chosen + step;
    items.forEach((item, place) => item.setAttribute("aria-selected", String(place === chosen)));
    if (chosen < 0) box.removeAttribute("aria-activedescendant");
    else box.setAttribute("aria-activedescendant", items[chosen].id);
    items[chosen]?.scrollIntoView({ block: "nearest" });
    box.value = chosen >= 0 && !found[chosen].note ? found[chosen].text : typed;
  }

  box.addEventListener("input", () => {
    typed = box.value;
    clearTimeout(timer);
    if (typed.trim()) timer = setTimeout(ask, WAIT);
    else close();
  });
  box.addEventListener("keydown", (event) => {
    if (event.isComposing || list.hidden) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" && chosen >= 0) {
      event.preventDefault();
      location.assign(found[chosen].path);
    } else if (event.key === "Escape") {
      event.preventDefault();
      box.value = typed;
      close();
    }
  });
  box.addEventListener("blur", close);
  form.addEventListener("submit", close);
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.defaultPrevented || typing) return;
    event.preventDefault();
    box.focus();
    box.select();
  });
})();
