// Serves a notice, and the help if it was opened before, while the server is gone. As long as the server answers,
// everything comes from it, so that nothing old is shown; the server writes its version into the first address.

const STATIC = "/static";
const OFFLINE = "/offline";
const HELP = "/help";
const KEPT = [OFFLINE, HELP, `${STATIC}/css/base.css`, `${STATIC}/js/boot.js`, `${STATIC}/icon.svg`];
const OF_HELP = /^\/(static|docs\/images)\/|^\/api\/v1\/(help|texts)\b/; // the requests of a help page
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

/**
 * Return what is shown while the server is gone: the help if it is cached, or else the notice.
 * @param {string} pathname
 */
async function instead(pathname) {
  const opened = pathname.startsWith(HELP) && (await caches.match(`/api/v1${HELP}`, { ignoreSearch: true }));
  return caches.match(opened ? HELP : OFFLINE);
}

/** Ask the server and cache its answer, if there is room. @param {Request} request */
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
