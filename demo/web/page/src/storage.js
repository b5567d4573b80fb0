// What the browser keeps: texts of the page, and what games store. A browser may refuse storage, and then forgets them
// when the page closes.
import { fromBase64, toBase64 } from "./link.js"

/** Returns what `use` makes of the browser's storage; null where the browser refuses. */
function withStorage(use) {
  try {
    return use(localStorage)
  } catch {
    return null
  }
}

/** Returns the text kept under a key, or null. */
export const recall = (key) => withStorage((kept) => kept.getItem(key))

/** Keeps a text; null removes it. Returns false where the browser refuses. */
export const remember = (key, text) =>
  withStorage((kept) => [text === null ? kept.removeItem(key) : kept.setItem(key, text)]) !== null

/** Whether the browser stores nothing. */
export const isRefused = () => withStorage((kept) => [kept.length]) === null

const FOLDER = "/saved/spawnpool" // as in player.c
const HASHED = "sha256:" // prefix of the origins of links and files
const HASHED_MOST = 3 << 20 // characters that these may fill together: browsers give 5 M to a page

const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
const hash = async (bytes) => toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)))

/** Returns the origin of a link or of opened files, to which their data belongs: a hash of all that makes the game, and
    of no name that it gives itself. Null where the browser has no hashes, because the page came by plain http. */
export async function originOf({ base = null, files, removed = [] }) {
  if (!globalThis.crypto?.subtle) return null
  const hashes = []
  for (const path of [...files.keys()].sort()) hashes.push([path, await hash(files.get(path))])
  return HASHED + (await hash(new TextEncoder().encode(JSON.stringify([base, hashes, [...removed].sort()]))))
}

const keyOf = (origin) => `spawnpool.saved:${globalThis.location?.origin ?? "null"}/${origin}`
const USED = "spawnpool.used" // when each link or file stored last, by its key

/** Returns what a game has stored, as a text; null when there is nothing, or where the browser refuses. */
export const savedOf = (origin) => origin && recall(keyOf(origin))

/** Links and files share a part of the storage, so that strangers cannot fill that of the site's games. What was used
    longest ago makes room. */
function makeRoom(kept, key, text) {
  if (!key.includes(`/${HASHED}`)) return
  const used = { ...JSON.parse(kept.getItem(USED) ?? "{}"), [key]: Date.now() }
  const others = Object.keys(kept).filter((name) => name.includes(`/${HASHED}`) && name !== key)
  const oldest = others.sort((a, b) => (used[a] ?? 0) - (used[b] ?? 0))
  let sum = others.reduce((all, name) => all + kept.getItem(name).length, text.length)
  while (sum > HASHED_MOST && oldest.length > 0) {
    sum -= kept.getItem(oldest[0]).length
    kept.removeItem(oldest.shift())
  }
  kept.setItem(USED, JSON.stringify(Object.fromEntries([key, ...oldest].map((name) => [name, used[name] ?? 0]))))
}

/** Stores what a game has given, as a text. Returns false where the browser refuses. */
export function storeSaved(origin, text) {
  if (!origin || text.length > HASHED_MOST) return false
  const key = keyOf(origin)
  return withStorage((kept) => [makeRoom(kept, key, text), kept.setItem(key, text)]) !== null
}

/** Loads what a game has stored, a text, into the memory of its instance. Returns a function that passes it to `keep`
    when it has changed: call it often. */
export function loadSaved(instance, saved, keep) {
  for (const [path, content] of Object.entries(JSON.parse(saved ?? "{}")))
    if (!path.includes("..")) instance.write(`${FOLDER}/${path}`, fromBase64(content))
  const isStored = (path) => path.startsWith(FOLDER) && path.endsWith(".data")
  const paths = () => instance.files("/saved").filter(isStored)
  const versions = () => paths().map((path) => `${path} ${instance.version(path)}`).join("\n")
  let last = versions()
  return () => {
    if (versions() === last) return
    last = versions()
    const all = paths().map((path) => [path.slice(FOLDER.length + 1), toBase64(instance.read(path))])
    keep(JSON.stringify(Object.fromEntries(all)))
  }
}

/** Forgets what the games of this page have stored. */
export const clearSaved = () =>
  withStorage((kept) =>
    Object.keys(kept)
      .filter((key) => key.startsWith("spawnpool."))
      .forEach((key) => kept.removeItem(key)),
  )
