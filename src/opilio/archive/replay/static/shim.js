// Runs before every script of an archived page: sends what scripts ask for to the archive, and keeps in what would leave.
// The walls are the content security policy and the service worker; this makes pages work inside of them.
// What it cannot do is listed in docs/explanation/replay.md.
(() => {
  "use strict";
  const own = document.currentScript;
  const time = own.dataset.time;
  const page = own.dataset.url;
  own.remove();

  const CAPTURE = /^\/\d{1,17}\/https?:\//i;
  const OWN = "/_opilio/";
  const origin = self.origin; // that of the page around it for a document inside an attribute
  const entry = origin.replace(/\/\/r\d+\./, "//"); // the list of results, to which the banner leads
  const confined = new WeakSet();
  const define = Object.defineProperty;

  if (origin === "null") {
    return; // a frame without an origin: the content security policy alone confines it
  }

  // The URL that stands in the address of a capture; else that of the page.
  function original(address) {
    const url = new URL(address, origin);
    const found = url.origin === origin && url.pathname.match(/^\/\d{1,17}\/(https?:\/.*)$/is);
    return found ? found[1] + url.search + url.hash : page;
  }

  // Where a URL of the page stands in the archive; what is no URL of the web stays as it is.
  function archived(value) {
    const text = String(value);
    let url;
    try {
      url = new URL(text, document.baseURI);
    } catch {
      return value;
    }
    if (url.protocol !== "http:" && url.protocol !== "https:") {
      return value;
    }
    if (url.origin === entry) {
      return value;
    }
    if (url.origin !== origin) {
      return `/${time}/${url.href}`;
    }
    if (CAPTURE.test(url.pathname) || url.pathname.startsWith(OWN) || text.startsWith("#")) {
      return value;
    }
    const asked = new URL(url.pathname + url.search + url.hash, original(location.href));
    return `/${time}/${asked.href}`;
  }

  const MARKUP = /(\s(?:src|href|action|poster|data)\s*=\s*)(["']?)((?:https?:)?\/\/[^"'\s>]+)/gi;
  const STYLE = /(url\(\s*["']?)((?:https?:)?\/\/[^"')\s]+)/gi;
  const inMarkup = (text) =>
    String(text)
      .replace(MARKUP, (_, lead, quote, url) => lead + quote + archived(url))
      .replace(STYLE, (_, lead, url) => lead + archived(url));
  const inStyle = (text) => String(text).replace(STYLE, (_, lead, url) => lead + archived(url));
  const inSet = (text) =>
    String(text).replace(/(^|,\s*|\s)((?:https?:)?\/\/[^\s,]+)/gi, (_, lead, url) => lead + archived(url));

  const quoted = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const inDocument = (text) =>
    `<script src="${OWN}shim.js" data-time="${time}" data-url="${quoted(page)}"></script>${inMarkup(text)}`;

  const URLS = new Set(["src", "href", "action", "formaction", "poster", "data", "background", "xlink:href"]);
  const SETS = new Set(["srcset", "imagesrcset"]);
  function attribute(name, value) {
    const lower = String(name).toLowerCase();
    if (URLS.has(lower)) {
      return archived(value);
    }
    if (lower === "srcdoc") {
      return inDocument(value);
    }
    return SETS.has(lower) ? inSet(value) : lower === "style" ? inStyle(value) : value;
  }

  // Replaces a method by one that sees its arguments first.
  function wrap(owner, name, change) {
    const real = owner && owner[name];
    if (typeof real === "function") {
      define(owner, name, {
        configurable: true, writable: true,
        value: function (...given) { return real.apply(this, change(given, this)); },
      });
    }
  }
  function wrapSetter(owner, name, change) {
    const found = owner && Object.getOwnPropertyDescriptor(owner, name);
    if (found && found.set) {
      define(owner, name, { ...found, set(value) { found.set.call(this, change(value)); } });
    }
  }
  function wrapConstructor(win, name, change) {
    if (typeof win[name] === "function") {
      win[name] = new Proxy(win[name], { construct: (real, given, made) => Reflect.construct(real, change(given), made) });
    }
  }
  const first = (change) => (given) => (given.length ? [change(given[0]), ...given.slice(1)] : given);
  const at = (place, change) => (given) => given.map((each, index) => (index === place && each != null ? change(each) : each));

  function requests(win) {
    const asRequest = (input, init) =>
      input instanceof win.Request ? [new win.Request(archived(input.url), input), init] : [archived(input), init];
    wrapConstructor(win, "Request", ([input, init]) => (input instanceof win.Request ? [input, init] : [archived(input), init]));
    wrap(win, "fetch", ([input, init]) => asRequest(input, init));
    wrap(win.XMLHttpRequest.prototype, "open", at(1, archived));
    for (const name of ["EventSource", "Worker", "SharedWorker", "Audio"]) {
      wrapConstructor(win, name, first(archived));
    }
    wrapConstructor(win, "FontFace", at(1, (source) => (typeof source === "string" ? inStyle(source) : source)));
    define(win.Navigator.prototype, "sendBeacon", { configurable: true, value: () => true });
    for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport", "cookieStore"]) {
      define(win, name, { configurable: true, value: undefined });
    }
  }

  function elements(win) {
    const properties = {
      HTMLImageElement: ["src"], HTMLScriptElement: ["src"], HTMLLinkElement: ["href"], HTMLIFrameElement: ["src"],
      HTMLFrameElement: ["src"], HTMLMediaElement: ["src"], HTMLSourceElement: ["src"], HTMLTrackElement: ["src"],
      HTMLEmbedElement: ["src"], HTMLObjectElement: ["data"], HTMLInputElement: ["src", "formAction"],
      HTMLButtonElement: ["formAction"], HTMLFormElement: ["action"], HTMLAnchorElement: ["href"],
      HTMLAreaElement: ["href"], HTMLVideoElement: ["poster"], HTMLBaseElement: ["href"],
    };
    for (const [kind, names] of Object.entries(properties)) {
      names.forEach((name) => wrapSetter(win[kind] && win[kind].prototype, name, archived));
    }
    wrapSetter(win.HTMLImageElement.prototype, "srcset", inSet);
    wrapSetter(win.HTMLSourceElement.prototype, "srcset", inSet);
    wrapSetter(win.HTMLIFrameElement.prototype, "srcdoc", inDocument);
    wrapSetter(win.Element.prototype, "innerHTML", inMarkup);
    wrapSetter(win.Element.prototype, "outerHTML", inMarkup);
    wrapSetter(win.CSSStyleDeclaration.prototype, "cssText", inStyle);
    wrap(win.Element.prototype, "insertAdjacentHTML", at(1, inMarkup));
    wrap(win.Element.prototype, "setAttribute", (given) => [given[0], attribute(given[0], given[1])]);
    wrap(win.Element.prototype, "setAttributeNS", (given) => [given[0], given[1], attribute(given[1], given[2])]);
    wrap(win.Document.prototype, "write", (given) => given.map(inMarkup));
    wrap(win.Document.prototype, "writeln", (given) => given.map(inMarkup));
    wrap(win.CSSStyleDeclaration.prototype, "setProperty", at(1, inStyle));
    wrap(win.CSSStyleSheet.prototype, "insertRule", first(inStyle));
    for (const name of ["click", "submit", "requestSubmit"]) {
      [win.HTMLElement, win.HTMLFormElement].forEach((kind) =>
        wrap(Object.hasOwn(kind.prototype, name) ? kind.prototype : null, name, (given, element) => (mend(element), given)));
    }
    for (const kind of [win.HTMLIFrameElement, win.HTMLFrameElement, win.HTMLObjectElement]) {
      nested(kind.prototype, "contentWindow", (inner) => inner);
      nested(kind.prototype, "contentDocument", (inner) => inner.defaultView);
    }
  }

  // Frames without an address of their own get the same rules as soon as they are in the page …
  const ADDING = {
    Node: ["appendChild", "insertBefore", "replaceChild"],
    Element: ["append", "prepend", "before", "after", "replaceWith", "replaceChildren", "insertAdjacentElement",
      "insertAdjacentHTML"],
    Document: ["append", "prepend", "write", "writeln"], DocumentFragment: ["append", "prepend"],
    Range: ["insertNode", "surroundContents"],
  };
  function frames(win) {
    const reach = () => {
      for (const frame of win.document.querySelectorAll("iframe, frame, object")) { void frame.contentWindow; }
    };
    const followed = (real) => function (...given) { const made = real.apply(this, given); reach(); return made; };
    for (const [kind, names] of Object.entries(ADDING)) {
      for (const name of names) {
        const real = win[kind].prototype[name];
        define(win[kind].prototype, name, { configurable: true, writable: true, value: followed(real) });
      }
    }
    for (const name of ["innerHTML", "outerHTML"]) {
      const found = Object.getOwnPropertyDescriptor(win.Element.prototype, name);
      define(win.Element.prototype, name, { ...found, set: followed(found.set) });
    }
    new win.MutationObserver(reach).observe(win.document, { subtree: true, childList: true });
  }

  // … and whenever the page reaches into them: what was loaded in between is another document.
  function nested(owner, name, windowOf) {
    const found = Object.getOwnPropertyDescriptor(owner, name);
    define(owner, name, {
      ...found,
      get() {
        const inner = found.get.call(this);
        try {
          if (inner && windowOf(inner)) { confine(windowOf(inner)); }
        } catch { /* of another origin: not ours to change */ }
        return inner;
      },
    });
  }

  function windows(win) {
    wrap(win, "open", first((url) => (url ? archived(url) : url)));
    for (const name of ["pushState", "replaceState"]) {
      wrap(win.History.prototype, name, at(2, archived));
    }
    const workers = win.ServiceWorkerContainer && win.ServiceWorkerContainer.prototype;
    if (workers) {
      const refused = () => Promise.reject(new DOMException("Archived pages have no service workers.", "SecurityError"));
      define(workers, "register", { configurable: true, value: refused });
      define(workers, "getRegistration", { configurable: true, value: () => Promise.resolve(undefined) });
      define(workers, "getRegistrations", { configurable: true, value: () => Promise.resolve([]) });
      define(workers, "controller", { configurable: true, get: () => null });
      define(workers, "ready", { configurable: true, get: () => new Promise(() => undefined) });
    }
    if (win.navigation) {
      win.navigation.addEventListener("navigate", (event) => stay(win, event));
    }
  }

  // A navigation that would leave goes to the archive instead.
  function stay(win, event) {
    const url = new URL(event.destination.url);
    const target = archived(url.href);
    if (event.hashChange || target === url.href || !event.cancelable) {
      return;
    }
    event.preventDefault();
    if (event.downloadRequest === null && !event.formData) {
      win.setTimeout(() => win.location.assign(target), 0);
    }
  }

  // Cookies of archived sites: per site, for this tab, and never sent anywhere.
  function cookies(win) {
    const key = `opilio cookies ${new URL(page).host}`;
    const read = () => new Map(JSON.parse(sessionStorage.getItem(key) || "[]"));
    define(win.Document.prototype, "cookie", {
      configurable: true,
      get: () => [...read()].map(([name, value]) => (name ? `${name}=${value}` : value)).join("; "),
      set(text) {
        const [pair, ...rest] = String(text).split(";").map((part) => part.trim());
        const [name, value] = pair.includes("=") ? [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] : ["", pair];
        const kept = read();
        kept.delete(name);
        if (!rest.some(over)) { kept.set(name, value); }
        sessionStorage.setItem(key, JSON.stringify([...kept].slice(-150)));
      },
    });
  }
  function over(rule) {
    const [name, value] = rule.split("=").map((part) => part.trim());
    return /^max-age$/i.test(name) ? Number(value) <= 0 : /^expires$/i.test(name) && Date.parse(value) < Date.now();
  }

  // Elements that came by other ways: markup, attributes of nodes.
  function mend(element) {
    for (const name of [...URLS, ...SETS, "style"]) {
      const value = element.getAttribute && element.getAttribute(name);
      if (value && /\/\//.test(value)) {
        const changed = attribute(name, value);
        if (changed !== value) { element.setAttribute(name, changed); }
      }
    }
  }
  function watch(win) {
    const seen = (records) => {
      for (const record of records) {
        if (record.type === "attributes") { mend(record.target); }
        for (const node of record.addedNodes) {
          if (node.nodeType === 1) { [node, ...node.querySelectorAll("[src],[href],[srcset],[action],[poster],[data],[style]")].forEach(mend); }
        }
      }
    };
    const filter = [...URLS, ...SETS, "style"];
    new win.MutationObserver(seen).observe(win.document, { subtree: true, childList: true, attributes: true, attributeFilter: filter });
    win.addEventListener("click", (event) => event.composedPath().filter((node) => node.href).forEach(mend), true);
    win.addEventListener("submit", (event) => mend(event.target), true);
  }

  function confine(win) {
    if (confined.has(win.Document)) { return; }
    confined.add(win.Document);
    [requests, elements, frames, windows, cookies, watch].forEach((part) => part(win));
  }

  confine(window);
  define(document, "referrer", { configurable: true, get: (real => () => real && original(real) !== page ? original(real) : "")(document.referrer) });
})();
