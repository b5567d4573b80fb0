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

/** Links and files share a part of the storage, so that strangers cannot fill that of the site's games and edits. */
function hasRoom(kept, key, text) {
  const isHashed = (name) => name.includes(`/${HASHED}`)
  if (!isHashed(key)) return true
  const others = Object.keys(kept).filter((name) => isHashed(name) && name !== key)
  return others.reduce((sum, name) => sum + kept.getItem(name).length, text.length) <= HASHED_MOST
}

/** Loads what a game has stored into the memory of its instance. Returns a function that stores it again: call it every
    few seconds, and when the page goes. `owner`: origin of the page around; `origin`: the game's, or null;
    `onRefused()` is called once, when nothing can be stored. */
export function loadSaved(instance, owner, origin, onRefused) {
  const key = origin && `spawnpool.saved:${owner}/${origin}`
  const load = (kept) => {
    const text = (key && kept.getItem(key)) ?? "{}"
    for (const [path, content] of Object.entries(JSON.parse(text)))
      if (!path.includes("..")) instance.write(`${FOLDER}/${path}`, fromBase64(content))
    return text
  }
  const isStored = (path) => path.startsWith(FOLDER) && path.endsWith(".data")
  const refuse = () => {
    onRefused?.()
    onRefused = null
  }
  let last = withStorage(load)
  if (last === null) refuse()
  return () => {
    const paths = instance.files("/saved").filter(isStored)
    const all = paths.map((path) => [path.slice(FOLDER.length + 1), toBase64(instance.read(path))])
    const text = JSON.stringify(Object.fromEntries(all))
    if (text === (last ?? "{}")) return
    last = text
    if (!key || !withStorage((kept) => hasRoom(kept, key, text) && [kept.setItem(key, text)])) refuse()
  }
}
