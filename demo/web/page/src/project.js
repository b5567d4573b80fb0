// The game that is open: its files as bytes, which of them a person has changed, and the game of the site that it
// began as, if any. Paths are relative to its folder. Listeners get the path of each change.
import { checkGame } from "./archive.js"

const encoder = new TextEncoder(),
  decoder = new TextDecoder(),
  strict = new TextDecoder("utf-8", { fatal: true })

const same = (a, b) =>
  a === b || (a !== undefined && b !== undefined && a.length === b.length && a.every((byte, i) => byte === b[i]))

/** main.lua first, then files before folders, by name. */
export function byReading(a, b) {
  const rank = (path) => (path === "main.lua" ? 0 : path.includes("/") ? 2 : 1)
  return rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0)
}

export class Project {
  /** `base`: name of the game of the site, or null; `files`: Map of path to bytes, as it was published; `origin`: whose
      data it stores, however it is edited. */
  constructor(name, base, files, origin = base) {
    this.name = name
    this.base = base
    this.published = files
    this.origin = origin
    this.files = new Map(files)
    this.listeners = []
    this.isTouched = false // whether a person has changed it here
    this.isDraft = false // whether the browser is to keep its edits
    this.isKept = false // whether it has them all
  }

  onChange(listener) {
    this.listeners.push(listener)
  }

  #changed(path) {
    for (const listener of this.listeners) listener(path)
  }

  /** Paths of the files that the editor opens, in reading order. */
  sources() {
    return [...this.files.keys()]
      .filter((path) => /\.(lua|json|txt|md)$/.test(path) && !/(^|\/)\./.test(path))
      .sort(byReading)
  }

  text(path) {
    return decoder.decode(this.files.get(path))
  }

  /** Whether text() is the whole file: one in another encoding would be written back damaged. */
  isText(path) {
    try {
      strict.decode(this.files.get(path))
      return true
    } catch {
      return false
    }
  }

  /** Writes a file; returns whether it differs from before. */
  write(path, content) {
    const bytes = typeof content === "string" ? encoder.encode(content) : content
    if (same(this.files.get(path), bytes)) return false
    this.files.set(path, bytes)
    this.#changed(path)
    return true
  }

  remove(path) {
    if (this.files.delete(path)) this.#changed(path)
  }

  /** Restores a file as it was published; one that is new is removed. */
  revert(path) {
    if (this.published.has(path)) this.write(path, this.published.get(path))
    else this.remove(path)
  }

  isChanged(path) {
    return !same(this.files.get(path), this.published.get(path))
  }

  /** Paths that differ from the published game: { files: Map, removed: [path] }. Without a base, everything differs. */
  edits() {
    const files = new Map(),
      removed = []
    for (const [path, bytes] of this.files) if (!this.base || this.isChanged(path)) files.set(path, bytes)
    if (this.base) for (const path of this.published.keys()) if (!this.files.has(path)) removed.push(path)
    return { files, removed }
  }

  /** Throws a Refusal when there is no game left. */
  apply({ files, removed }) {
    for (const [path, bytes] of files) this.files.set(path, bytes)
    for (const path of removed) this.files.delete(path)
    checkGame(this.files)
  }
}
