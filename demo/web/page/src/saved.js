// What games store: their folder in the virtual file system is copied to the browser's storage, and back at the next
// start. A browser may refuse storage; games play on without it.
const SAVED = "/saved" // as in player.c
const FOLDER = `${SAVED}/spawnpool`

const LINKS = "sha256:" // how the origins of games begin that are links and files
const LINKS_MOST = 3 << 20 // characters that these may fill together: browsers give 5 M to a page

const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
const hash = async (bytes) => toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)))

/** Whose data that of a link or of opened files is: a hash of all that makes the game, and of no name that it gives
    itself. Null where the browser has no hashes, because the page came by plain http. */
export async function originOf({ base = null, files, removed = [] }) {
  if (!globalThis.crypto?.subtle) return null
  const hashes = []
  for (const path of [...files.keys()].sort()) hashes.push([path, await hash(files.get(path))])
  return LINKS + (await hash(new TextEncoder().encode(JSON.stringify([base, hashes, [...removed].sort()]))))
}

const toText = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
const toBytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0))

export class Saved {
  #player
  #key
  #last = "{}"
  #onRefused

  /** `owner`: origin of the page around; `origin`: the game's, or null; `onRefused()` is called once when nothing can be
      stored. */
  constructor(player, owner, origin, onRefused) {
    this.#player = player
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
      for (const [path, content] of Object.entries(JSON.parse(text))) {
        if (!path.includes("..")) this.#player.write(`${FOLDER}/${path}`, toBytes(content))
      }
      this.#last = text
    } catch {
      this.#refuse()
    }
  }

  /** Links and files share a part of the room, so that strangers cannot take that of the site's games and edits. */
  #hasRoom(text) {
    const ofLinks = (key) => key.includes(`/${LINKS}`)
    if (!ofLinks(this.#key)) return true
    const others = Object.keys(localStorage).filter((key) => ofLinks(key) && key !== this.#key)
    return others.reduce((sum, key) => sum + localStorage.getItem(key).length, text.length) <= LINKS_MOST
  }

  /** Call every few seconds, and when the page goes. */
  store() {
    const all = {}
    for (const path of this.#player.files(SAVED))
      if (path.startsWith(FOLDER)) all[path.slice(FOLDER.length + 1)] = toText(this.#player.read(path))
    const text = JSON.stringify(all)
    if (text === this.#last) return
    this.#last = text
    try {
      if (!this.#key || !this.#hasRoom(text)) this.#refuse()
      else localStorage.setItem(this.#key, text)
    } catch {
      this.#refuse()
    }
  }
}
