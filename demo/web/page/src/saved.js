// What games store: their folder in the virtual file system is copied to the browser's storage, and back at the next
// start. A browser may refuse storage; games play on without it.
const SAVED = "/saved" // as in player.c
const FOLDER = `${SAVED}/spawnpool`

const toText = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
const toBytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0))

export class Saved {
  #player
  #key
  #last = "{}"
  #onRefused

  /** `key`: whose data it is; `onRefused()` is called once when the browser refuses. */
  constructor(player, key, onRefused) {
    this.#player = player
    this.#key = `spawnpool.saved:${key}`
    this.#onRefused = onRefused
  }

  #refuse() {
    this.#onRefused?.()
    this.#onRefused = null
  }

  load() {
    try {
      const text = localStorage.getItem(this.#key) ?? "{}"
      for (const [path, content] of Object.entries(JSON.parse(text))) {
        if (!path.includes("..")) this.#player.write(`${FOLDER}/${path}`, toBytes(content))
      }
      this.#last = text
    } catch {
      this.#refuse()
    }
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
      localStorage.setItem(this.#key, text)
    } catch {
      this.#refuse()
    }
  }
}
