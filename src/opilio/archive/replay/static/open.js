// The page that lets in: starts the service worker, tells the server that it stands, then goes on to the archived page.
// Whatever fails, the way goes on without scripts of the archived pages.
const onward = document.querySelector("a[data-onward]").href;

async function confined() {
  await navigator.serviceWorker.register("/_opilio/sw.js", { scope: "/", updateViaCache: "none" });
  await navigator.serviceWorker.ready;
  await fetch("/_opilio/ready", { method: "POST", redirect: "error" });
}

const started = "serviceWorker" in navigator ? confined() : Promise.resolve();
started.catch(() => undefined).then(() => location.replace(onward));
