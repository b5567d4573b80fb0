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

/** What one game stores: its folder in the memory of the instance is copied to the browser's storage, and back at the
    next start. */
export class Saved {
  #instance
  #key
  #last = "{}"
  #onRefused

  /** `owner`: origin of the page around; `origin`: the game's, or null; `onRefused()` is called once, when nothing can
      be stored. */
  constructor(instance, owner, origin, onRefused) {
    this.#instance = instance
    this.#key = origin && `spawnpool.saved:${owner}/${origin}`
    this.#onRefused = onRefused
  }

  #refuse() {
    this.#onRefused?.()
    this.#onRefused = null
  }

  load() {
    try {
      const text = (this.#key && localStorage.getItem(this.#key)) ?? "{}"
      for (const [path, content] of Object.entries(JSON.parse(text)))
        if (!path.includes("..")) this.#instance.write(`${FOLDER}/${path}`, fromBase64(content))
      this.#last = text
    } catch {
      this.#refuse()
    }
  }

  /** Links and files share a part of the storage, so that strangers cannot fill that of the site's games and edits. */
  #hasRoom(text) {
    const isHashed = (key) => key.includes(`/${HASHED}`)
    if (!isHashed(this.#key)) return true
    const others = Object.keys(localStorage).filter((key) => isHashed(key) && key !== this.#key)
    return others.reduce((sum, key) => sum + localStorage.getItem(key).length, text.length) <= HASHED_MOST
  }

  /** Call every few seconds, and when the page goes. */
  store() {
    const isStored = (path) => path.startsWith(FOLDER) && path.endsWith(".data")
    const paths = this.#instance.files("/saved").filter(isStored)
    const all = paths.map((path) => [path.slice(FOLDER.length + 1), toBase64(this.#instance.read(path))])
    const text = JSON.stringify(Object.fromEntries(all))
    if (text === this.#last) return
    this.#last = text
    try {
      if (this.#key && this.#hasRoom(text)) return localStorage.setItem(this.#key, text)
    } catch {} // the browser refuses
    this.#refuse()
  }
}
