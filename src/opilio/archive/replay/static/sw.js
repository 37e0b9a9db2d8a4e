// Opilio's service worker: whatever an archived page asks for is asked of the archive, never of the live web.
// Paths of captures, /{time}/{url}, pass to the server as they are. All else is resolved against the page that asks.
const CAPTURE = /^\/\d{1,17}\/https?:\//i;
const OWN = "/_opilio/";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const ours = url.origin === self.location.origin;
  if (ours && (CAPTURE.test(url.pathname) || url.pathname.startsWith(OWN))) {
    return;
  }
  event.respondWith(answered(event, url, ours));
});

async function answered(event, url, ours) {
  const page = await askingPage(event);
  const target = page ? place(page, url, ours) : null;
  if (target === null) {
    return ours ? fetch(event.request) : Response.error();
  }
  return Response.redirect(self.location.origin + target, 307);
}

// Where the URL that a page asked for stands in the archive.
function place(page, url, ours) {
  const asked = ours ? new URL(url.pathname + url.search, page.url).href : url.href;
  return /^https?:/.test(asked) ? `/${page.time}/${asked}` : null;
}

// The capture that asks: of the client, else of the referrer.
async function askingPage(event) {
  const client = event.clientId ? await self.clients.get(event.clientId) : null;
  return capture(client && client.url) || capture(event.request.referrer);
}

function capture(address) {
  if (!address) {
    return null;
  }
  const url = new URL(address);
  if (url.origin !== self.location.origin || !CAPTURE.test(url.pathname)) {
    return null;
  }
  const [, time, rest] = url.pathname.match(/^\/(\d+)\/(.*)$/s);
  return { time, url: rest + url.search };
}
