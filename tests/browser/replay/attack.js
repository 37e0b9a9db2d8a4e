// Everything that scripts can ask for while the page stays where it is; the title says when all was tried.
const live = "http://live.test/";
const quietly = (work) => { try { const made = work(); return made && made.catch ? made.catch(() => 0) : made; } catch { return 0; } };
const add = (name, attributes) => quietly(() => { const it = document.createElement(name);
  for (const key in attributes) { it.setAttribute(key, attributes[key]); } document.body.append(it); return it; });
const waits = [
  quietly(() => fetch(live + "fetch")), quietly(() => fetch(live + "no-cors", {mode: "no-cors", keepalive: true})),
  quietly(() => fetch(new Request(live + "request"))), quietly(() => import(live + "import.js")),
  quietly(() => navigator.serviceWorker.register("/sw-of-page.js")),
  quietly(() => navigator.serviceWorker.register(location.pathname.replace("attack", "sw.js"))),
  quietly(() => new FontFace("y", `url(${live}fontface)`).load()), quietly(() => document.fonts.load("1px x")),
];
quietly(() => { const x = new XMLHttpRequest(); x.open("GET", live + "xhr", false); x.send(); });
quietly(() => new WebSocket("ws://live.test/socket")); quietly(() => new EventSource(live + "events"));
quietly(() => navigator.sendBeacon(live + "beacon", "x")); quietly(() => new Worker(live + "worker.js"));
quietly(() => new SharedWorker(live + "shared.js")); quietly(() => new WebTransport("https://live.test/transport"));
quietly(() => new Worker(URL.createObjectURL(new Blob([`importScripts("${live}import-scripts"); fetch("${live}from-worker")`]))));
quietly(() => new RTCPeerConnection({iceServers: [{urls: "stun:live.test"}]}).createDataChannel("x"));
quietly(() => new Image().src = live + "image"); quietly(() => new Audio(live + "audio").play().catch(() => 0));
for (const [name, attributes] of Object.entries({img: {src: live + "img"}, script: {src: live + "script"},
  iframe: {src: live + "iframe"}, embed: {src: live + "embed"}, object: {data: live + "object"}, video: {src: live + "video"},
  link: {rel: "stylesheet", href: live + "style"}, input: {type: "image", src: live + "input"}})) { add(name, attributes); }
for (const rel of ["preconnect", "dns-prefetch", "prefetch", "prerender", "preload", "modulepreload", "icon", "manifest"]) {
  const it = document.createElement("link"); it.rel = rel; it.as = "image"; it.href = live + rel; document.head.append(it); }
const rules = document.createElement("script"); rules.type = "speculationrules";
rules.textContent = JSON.stringify({prefetch: [{source: "list", urls: [live + "speculation"], eagerness: "immediate"}]});
document.head.append(rules);
const box = document.createElement("div"); document.body.append(box);
box.innerHTML = `<img src="${live}inner"><p style="background:url(${live}inner-style)"><svg><image href="${live}inner-svg"/></svg>`;
box.insertAdjacentHTML("beforeend", `<iframe src='${live}adjacent'></iframe>`);
box.style.backgroundImage = `url(${live}background)`;
const sheet = document.createElement("style"); sheet.textContent = `@import "${live}late-import"; i{background:url(${live}late)}`;
document.head.append(sheet); document.body.append(document.createElement("i"));
const bare = document.createElement("iframe"); document.body.append(bare);
quietly(() => window.frames[window.frames.length - 1].fetch(live + "bare-fetch").catch(() => 0));
quietly(() => { bare.contentDocument.body.innerHTML = `<img src="${live}bare-image">`; });
quietly(() => { bare.contentWindow.location = live + "bare-location"; });
const box2 = document.createElement("iframe"); box2.sandbox = "allow-scripts";
box2.srcdoc = `<img src="${live}sandboxed"><script>fetch("${live}sandboxed-fetch")</` + `script>`; document.body.append(box2);
const frame = document.createElement("iframe"); frame.src = `javascript:fetch("${live}javascript")`; document.body.append(frame);
const inline = document.createElement("a"); inline.setAttribute("ping", live + "ping"); inline.href = "#there";
document.body.append(inline); inline.click();
const form = document.createElement("form"); form.action = live + "form"; form.method = "post"; form.target = "_self";
const unchanged = document.createElement("form"); unchanged.attributes.setNamedItem(Object.assign(document.createAttribute("action"), {value: live + "node"}));
Promise.allSettled(waits).then(() => setTimeout(() => { document.title = "done"; }, 300));
