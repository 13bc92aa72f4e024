// Keeps what pages need while the server is gone: the document, scripts, styles, texts, and what the server last said
// of games, puzzles and help. As long as the server answers, everything comes from it, so that nothing old is shown; it
// writes its version into the first address.

const STATIC = "/static";
const DOCUMENT = "/";
const FILES = [
  DOCUMENT,
  `${STATIC}/css/all.css`,
  `${STATIC}/js/boot.js`,
  `${STATIC}/js/first.js`,
  `${STATIC}/js/rest.js`,
  `${STATIC}/fonts/plus-jakarta-sans.woff2`,
  `${STATIC}/icon.svg`,
  `${STATIC}/kawung.svg`,
  `${STATIC}/manifest.json`,
];
const FACTS = ["texts/en", "texts/id", "games", "lessons", "offline"].map((each) => `/api/v1/${each}`);
const KEPT = /^\/(static|docs\/images)\/|^\/api\/v1\/(help|texts|games|lessons|offline)\b/;
const PATIENCE = 10_000; // milliseconds after which a server counts as gone, where something was kept
const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(
    caches
      .open(STATIC)
      .then((cache) => cache.addAll(FILES).then(() => Promise.allSettled(FACTS.map((each) => cache.add(each)))))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== STATIC).map((name) => caches.delete(name))))
      .then(() => worker.clients.claim()),
  );
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.mode === "navigate") event.respondWith(answered(fetch(request), () => caches.match(DOCUMENT)));
  else if (request.method === "GET" && KEPT.test(pathname))
    event.respondWith(answered(fresh(request), () => caches.match(request)));
});

/**
 * The server's answer; what was kept, where the server cannot be reached or says nothing for long.
 * @param {Promise<Response>} asked
 * @param {() => Promise<Response | undefined>} kept
 */
async function answered(asked, kept) {
  const late = new Promise((resolve) => { setTimeout(resolve, PATIENCE); }).then(async () => (await kept()) ?? asked);
  return Promise.race([asked, late]).catch(async () => (await kept()) ?? Response.error());
}

/** Ask the server and keep its answer, if there is room. @param {Request} request */
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
