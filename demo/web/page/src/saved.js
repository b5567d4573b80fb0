/*
** What games store: their folder in the virtual file system is copied to the browser's storage, and back at the next
** start. A browser may refuse storage; games play on without it.
*/
const FOLDER = "/home/web_user/.local/share/spawnpool"

const toText = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
const toBytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0))

function walk(FS, folder, visit) {
  for (const name of FS.readdir(folder)) {
    if (name === "." || name === "..") continue
    const path = `${folder}/${name}`
    if (FS.isDir(FS.stat(path).mode)) walk(FS, path, visit)
    else visit(path)
  }
}

export class Saved {
  #FS
  #key
  #last = "{}"
  #onRefused

  /** `key`: whose data it is; `onRefused()` is called once when the browser refuses. */
  constructor(FS, key, onRefused) {
    this.#FS = FS
    this.#key = `spawnpool.saved:${key}`
    this.#onRefused = onRefused
  }

  #refuse() {
    this.#onRefused?.()
    this.#onRefused = null
  }

  load() {
    this.#FS.mkdirTree(FOLDER)
    try {
      const text = localStorage.getItem(this.#key) ?? "{}"
      for (const [path, content] of Object.entries(JSON.parse(text))) {
        const full = `${FOLDER}/${path}`
        if (path.includes("..")) continue
        this.#FS.mkdirTree(full.slice(0, full.lastIndexOf("/")))
        this.#FS.writeFile(full, toBytes(content))
      }
      this.#last = text
    } catch {
      this.#refuse()
    }
  }

  /** Call every few seconds, and when the page goes. */
  store() {
    const all = {}
    walk(this.#FS, FOLDER, (path) => { all[path.slice(FOLDER.length + 1)] = toText(this.#FS.readFile(path)) })
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
