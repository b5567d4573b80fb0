// The game that is open: its files as bytes, what a person has changed in them, and the problems that the game and the
// checks have found in them. Paths are relative to its folder.
import { checkGame } from "./archive.js"
import { textOf } from "./link.js"

const same = (a, b) =>
  a === b || (a !== undefined && b !== undefined && a.length === b.length && a.every((byte, i) => byte === b[i]))

/** main.lua first, then files before folders, by name. */
function byReading(a, b) {
  const rank = (path) => (path === "main.lua" ? 0 : path.includes("/") ? 2 : 1)
  return rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0)
}

export class Project {
  isTouched = false // whether a person has changed it here
  isDraft = false // whether the browser is to keep its edits
  isKept = false // whether it has them all
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
      .sort(byReading)
  }

  text(path) {
    return new TextDecoder().decode(this.files.get(path))
  }

  /** Whether text() is the whole file: one in another encoding would be written back damaged. */
  isText(path) {
    return textOf(this.files.get(path)) !== null
  }

  /** Writes a file; returns whether it differs from before. */
  write(path, content) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
    if (same(this.files.get(path), bytes)) return false
    this.files.set(path, bytes)
    this.onChange(path)
    return true
  }

  remove(path) {
    if (this.files.delete(path)) this.onChange(path)
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
    const files = new Map([...this.files].filter(([path]) => !base || this.isChanged(path)))
    const removed = base ? [...this.published.keys()].filter((path) => !this.files.has(path)) : []
    return { name, base, files, removed }
  }

  /** Throws a Refusal when there is no game left. */
  apply({ files, removed }) {
    for (const [path, bytes] of files) this.files.set(path, bytes)
    for (const path of removed) this.files.delete(path)
    checkGame(this.files)
  }
}

const PROBLEMS_MOST = 50
const MESSAGE_MOST = 1000 // characters: a token that it quotes may have millions

function problemOf({ text, message, file, line }, severity) {
  const hint = /^ *hint: (.*)$/m.exec(text)
  const whole = hint ? `${message} (${hint[1]})` : message
  return { path: file, line, message: whole.slice(0, MESSAGE_MOST), severity }
}

/** Problems of the running game and of checks, by file and line. */
export class Problems {
  #running = [] // of the game, since the last reload that succeeded
  #checked = [] // of the last check

  /** `onChange()` is called whenever all() differs. */
  constructor(onChange = () => {}) {
    this.onChange = onChange
  }

  /** Adds an error or a warning of the game. */
  add(report) {
    if (!report.file) return
    this.#running = [...this.#running, problemOf(report, report.kind)].slice(-PROBLEMS_MOST)
    this.onChange()
  }

  /** The code was edited, or has been reloaded: problems of the code before it are over. */
  forget() {
    this.#running = []
    this.onChange()
  }

  /** Replaces the problems of the last check. */
  setChecked(reports) {
    this.#checked = reports
      .filter((report) => report.file)
      .map((report) => problemOf(report, report.text.startsWith("warning: ") ? "warning" : "error"))
    this.onChange()
  }

  /** All problems, each line and message once; those of the running game first. */
  all() {
    const seen = new Set()
    return [...this.#running, ...this.#checked].filter(({ path, line, message }) => {
      const key = `${path}:${line}:${message.split(" (")[0]}`
      return !seen.has(key) && seen.add(key)
    })
  }

  of(path) {
    return this.all().filter((problem) => problem.path === path)
  }
}

const CHECK_PATIENCE = 20000 // milliseconds

/** Checks of the whole game, as `spawnpool --check` makes them, in a worker: the game goes on meanwhile. The last
    request counts; a check that takes too long ends with its worker. */
export class Checks {
  #worker = null
  #id = 0
  #timer = 0

  /** `onProblems(problems)` receives those of each check that ended. */
  constructor(onProblems) {
    this.onProblems = onProblems
  }

  request({ name, files }) {
    const worker = (this.#worker ??= new Worker("player.js", { type: "module" }))
    const id = (this.#id += 1)
    clearTimeout(this.#timer)
    worker.onerror = () => {
      worker.terminate()
      this.#worker = null
    }
    this.#timer = setTimeout(worker.onerror, CHECK_PATIENCE)
    worker.onmessage = ({ data }) => {
      if (data.id !== id) return
      clearTimeout(this.#timer)
      this.onProblems(data.problems)
    }
    worker.postMessage({ id, name, files })
  }
}
