// What ordinary scripts do; each answer is told by the title once all are there.
const site = "http://site.test";
const text = (answer) => answer.text();
const worker = new Promise((told) => { const it = new Worker("/worker.js"); it.onmessage = (event) => told(event.data); });
const picture = (make) => new Promise((told) => { const it = make(); it.onload = () => told("shown"); it.onerror = () => told("broken"); });
const asked = {
  relative: fetch("data.txt").then(text),
  root: fetch("/dir/data.txt").then(text),
  absolute: fetch(`${site}/dir/data.txt`).then(text),
  request: fetch(new Request(`${site}/dir/data.txt`)).then(text),
  xhr: new Promise((told) => { const x = new XMLHttpRequest(); x.open("GET", `${site}/dir/data.txt`); x.onload = () => told(x.responseText); x.send(); }),
  worker,
  image: picture(() => Object.assign(new Image(), { src: `${site}/dir/dot.png` })),
  markup: picture(() => { const box = document.createElement("div"); document.body.append(box);
    box.innerHTML = `<img src="${site}/dir/dot.png?again">`; return box.firstChild; }),
  script: new Promise((told) => { window.late = told; const it = document.createElement("script"); it.src = `${site}/late.js`; document.head.append(it); }),
  module: import("./module.js").then((found) => found.word),
  post: fetch("/dir/data.txt", { method: "POST", body: "x" }).then((answer) => answer.status),
  beacon: Promise.resolve(navigator.sendBeacon("/count", "x")),
  refused: navigator.serviceWorker.register("/worker.js").then(() => "registered", (error) => error.name),
};
history.pushState({}, "", "/elsewhere?x=1");
Promise.all(Object.entries(asked).map(async ([name, answer]) => [name, await answer])).then((found) => {
  document.title = JSON.stringify({ ...Object.fromEntries(found), path: location.pathname });
});
