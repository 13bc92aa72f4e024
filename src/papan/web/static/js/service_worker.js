// Between the pages and a server that may be gone: a page that says so, and the help, for whoever has opened it.
// As long as the server is there everything comes from it, so that nothing old is ever shown; it writes its version
// into the first line.

const STATIC = "/static";
const OFFLINE = "/offline";
const HELP = "/help";
const KEPT = [OFFLINE, HELP, `${STATIC}/css/base.css`, `${STATIC}/js/boot.js`, `${STATIC}/icon.svg`];
const OF_HELP = /^\/(static|docs\/images)\/|^\/api\/v1\/(help|texts)\b/; // what a page of the help asks for
const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(
    caches
      .open(STATIC)
      .then((cache) => cache.addAll(KEPT))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== STATIC).map((name) => caches.delete(name)))),
  );
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => instead(pathname)));
  else if (request.method === "GET" && OF_HELP.test(pathname))
    event.respondWith(fresh(request).catch(() => caches.match(request)));
});

/** What is shown where the server is gone: the help, if all of it is here. @param {string} pathname */
async function instead(pathname) {
  const opened = pathname.startsWith(HELP) && (await caches.match(`/api/v1${HELP}`, { ignoreSearch: true }));
  return caches.match(opened ? HELP : OFFLINE);
}

/** What the server answers; it is kept for when it does not, if there is room. @param {Request} request */
async function fresh(request) {
  const answer = await fetch(request);
  const copy = answer.clone();
  if (answer.ok)
    caches
      .open(STATIC)
      .then((cache) => cache.put(request, copy))
      .catch(() => {});
  return answer;
}
