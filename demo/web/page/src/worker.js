// The service worker: page, player and games work without a network. Each version of the page has a cache of its own,
// which is whole before anything of it is used; worker.mjs writes FILES, LATER and VERSION. A new version waits until a
// person asks for it. The cache of the version before stays, because another tab may still need a part of it.
const CACHE = `spawnpool-${VERSION}`

const store = async (paths) => (await caches.open(CACHE)).addAll(paths)

async function dropOld() {
  const names = (await caches.keys()).filter((name) => name.startsWith("spawnpool-") && name !== CACHE)
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)))
}

async function answer(request) {
  const { pathname } = new URL(request.url),
    isPage = request.mode === "navigate" && /\/(index\.html)?$/.test(pathname),
    cache = await caches.open(CACHE)
  const found = (await cache.match(isPage ? "./" : request, { ignoreSearch: true })) ?? (await caches.match(request))
  if (found) return found
  const fresh = await fetch(request)
  if (fresh.ok && /\/(games|docs)\//.test(pathname)) cache.put(request, fresh.clone())
  return fresh
}

self.addEventListener("install", (event) => event.waitUntil(store(FILES)))
self.addEventListener("activate", (event) => event.waitUntil(dropOld()))
self.addEventListener("fetch", (event) => {
  const { request } = event
  if (request.method === "GET" && request.url.startsWith(self.registration.scope) && !request.headers.has("range"))
    event.respondWith(answer(request))
})
self.addEventListener("message", ({ data }) => {
  if (data === "use") self.skipWaiting()
  if (data === "all") store(LATER).catch(() => {})
})
