// Between the pages and a server that may be gone: a page that says so. Everything else comes from the server,
// so that nothing old is ever shown; the server writes its version into the first line.

const STATIC = "/static";
const OFFLINE = "/offline";
const KEPT = [OFFLINE, `${STATIC}/css/base.css`, `${STATIC}/js/boot.js`, `${STATIC}/js/offline.js`, `${STATIC}/icon.svg`];
const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(STATIC).then((cache) => cache.addAll(KEPT)).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== STATIC).map((name) => caches.delete(name)))));
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
  else if (KEPT.includes(new URL(request.url).pathname)) event.respondWith(fetch(request).catch(() => caches.match(request)));
});
