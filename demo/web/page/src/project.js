// The game that is open: its files as bytes, and what a person has changed in them. Paths are relative to its folder.
import { checkGame } from "./archive.js"
import { textOf } from "./link.js"

const same = (a, b) =>
  a === b || (a !== undefined && b !== undefined && a.length === b.length && a.every((byte, i) => byte === b[i]))

/** main.lua comes first, then files before folders, by name. */
const readingKey = (path) => (path === "main.lua" ? "0" : path.includes("/") ? `2${path}` : `1${path}`)

export class Project {
  isTouched = false // whether a person has changed it here
  isKept = false // whether the browser has its edits
  id = null // of its draft
  from = "file" // or "example", "new", "link"
  rev = undefined // of its draft, when it was read or written last
  good = null // the last changes() that played
  versions = [] // earlier changes(), with `at`
  onChange = () => {} // receives the path of each change

  /** `base`: name of the game of the site that it began as, or null; `files`: Map of path to bytes, as published;
      `origin`: to which its data belongs, however it is edited. */
  constructor(name, base, files, origin = base) {
    this.name = name
    this.base = base
    this.published = files
    this.origin = origin
    this.files = new Map(files)
  }

  /** Paths of the files that the editor opens, in reading order. */
  sources() {
    return [...this.files.keys()]
      .filter((path) => /\.(lua|json|txt|md)$/.test(path) && !/(^|\/)\./.test(path))
      .sort((a, b) => (readingKey(a) < readingKey(b) ? -1 : 1))
  }

  text(path) {
    return new TextDecoder().decode(this.files.get(path))
  }

  /** Whether text() is the whole file: one in another encoding would be written back damaged. */
  isText(path) {
    return textOf(this.files.get(path)) !== null
  }

  /** Writes a file, as a text or as bytes. */
  write(path, content) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
    if (same(this.files.get(path), bytes)) return
    this.files.set(path, bytes)
    this.onChange(path)
  }

  /** Restores a file as it was published; one that is new is removed. */
  revert(path) {
    if (this.published.has(path)) this.write(path, this.published.get(path))
    else this.remove(path)
  }

  isChanged(path) {
    return !same(this.files.get(path), this.published.get(path))
  }

  changed() {
    return [...new Set([...this.files.keys(), ...this.published.keys()])].filter((path) => this.isChanged(path))
  }

  /** What makes this game of the published one, or of nothing without a base: { name, base, files, removed }. */
  edits() {
    const { name, base } = this
    return { name, base, ...(base ? this.changes() : { files: new Map(this.files), removed: [] }) }
  }

  /** What differs from the published game. */
  changes() {
    const removed = [...this.published.keys()].filter((path) => !this.files.has(path))
    return { files: new Map([...this.files].filter(([path]) => this.isChanged(path))), removed }
  }

  #changed({ files, removed }) {
    const all = new Map([...this.published, ...files])
    for (const path of removed) all.delete(path)
    return all
  }

  /** Makes the files differ from the published ones by these changes. */
  restore(changes) {
    const wanted = this.#changed(changes)
    for (const path of this.files.keys()) if (!wanted.has(path)) this.remove(path)
    for (const [path, bytes] of wanted) this.write(path, bytes)
  }

  differsFrom(changes) {
    const wanted = this.#changed(changes)
    return wanted.size !== this.files.size || [...wanted].some(([path, bytes]) => !same(bytes, this.files.get(path)))
  }

  remove(path) {
    if (this.files.delete(path)) this.onChange(path)
  }

  /** Whether it came from a stranger, and nobody has touched it here. */
  get isForeign() {
    return this.from === "link" && this.rev === undefined
  }

  /** Throws a Refusal when there is no game left. */
  apply({ files, removed }) {
    for (const [path, bytes] of files) this.files.set(path, bytes)
    for (const path of removed) this.files.delete(path)
    checkGame(this.files)
  }
}
