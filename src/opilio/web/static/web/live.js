// Keeps the live page of a harvest up to date with what the server sends; without it, the page can be loaded again.
(() => {
  "use strict";
  const view = document.querySelector("[data-live]");
  if (!view || !window.EventSource) return;
  const told = view.querySelector("[data-live-told]");
  const spoken = view.querySelector("[data-live-spoken]");
  const hold = view.querySelector("[data-live-hold]");
  const QUIET = 30000; // milliseconds between two sentences for screen readers
  const AGAIN = 10000; // milliseconds until a refused stream is asked for again
  const PATIENCE = 5000; // milliseconds of silence before it is told; a stream that ended by itself comes back sooner
  let held = false, waiting = null, state = view.dataset.state, said = 0, source = null, ended = false, trouble = 0;

  // Whoever reads in a part, by keyboard, mouse or selection, keeps it as it is until they leave.
  function inUse(part) {
    const chosen = document.getSelection();
    const selected = chosen && !chosen.isCollapsed && part.contains(chosen.anchorNode);
    return selected || (part.contains(document.activeElement) && document.activeElement !== part);
  }

  function say(words, now) {
    if (!now && Date.now() - said < QUIET) return;
    said = Date.now();
    spoken.textContent = words;
  }

  function show(sheet) {
    for (const part of view.querySelectorAll("[data-live-part]")) {
      if (inUse(part)) continue;
      const { scrollTop, scrollLeft } = part;
      part.innerHTML = sheet.parts[part.dataset.livePart] ?? ""; // the server made and escaped it
      part.scrollTop = scrollTop;
      part.scrollLeft = scrollLeft;
    }
    const moved = sheet.state !== state;
    state = view.dataset.state = sheet.state;
    const badge = document.querySelector(".page-head h1 .badge");
    if (moved && badge) {
      badge.textContent = sheet.label;
      badge.className = `badge badge-${sheet.tone}`;
    }
    if (moved) document.body.dispatchEvent(new CustomEvent("live-moved"));
    say(sheet.spoken, moved);
  }

  function note(words) {
    if (told.textContent !== words) told.textContent = words;
  }

  function receive(event) {
    const sheet = JSON.parse(event.data);
    ended = sheet.over;
    if (ended) hold.hidden = true;
    if (held && !ended) waiting = sheet;
    else show(sheet);
    note(ended ? "The harvest has ended. This is how it went." : held ? "Held still; the harvest goes on." : "It is kept up to date.");
  }

  function watch() {
    source = new EventSource(`${view.dataset.live}?last=${encodeURIComponent(view.dataset.mark)}`);
    source.addEventListener("open", () => {
      clearTimeout(trouble);
      trouble = 0;
      if (!held) note("It is kept up to date.");
    });
    source.addEventListener("sheet", (event) => {
      view.dataset.mark = event.lastEventId;
      receive(event);
    });
    source.addEventListener("over", () => {
      ended = true;
      source.close();
    });
    source.addEventListener("error", () => {
      if (ended) return;
      trouble ||= setTimeout(() => note("The server cannot be heard at this moment, or you are signed out; it is asked again."), PATIENCE);
      if (source.readyState === EventSource.CLOSED) setTimeout(watch, AGAIN);
    });
  }

  hold.hidden = false;
  hold.addEventListener("click", () => {
    held = !held;
    hold.setAttribute("aria-pressed", String(held));
    note(held ? "Held still; the harvest goes on." : "It is kept up to date.");
    if (!held && waiting) show(waiting);
    waiting = null;
  });
  addEventListener("pagehide", () => source?.close());
  addEventListener("pageshow", (event) => event.persisted && !ended && watch());
  watch();
})();
