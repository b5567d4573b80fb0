// Problems of the running game and of checks, by file and line. They come as the player reports them: { kind, text,
// file, line, message }, file null where the text names none.
const MOST = 50
const LONGEST = 1000 // characters of a message: a token that it quotes may have millions

/** Adds the hint of an error to its message. */
function withHint({ text, message }) {
  const hint = /^ *hint: (.*)$/m.exec(text)
  return hint ? `${message} (${hint[1]})` : message
}

const placeOf = (report, severity) => ({ path: report.file, line: report.line, message: withHint(report).slice(0, LONGEST), severity })

export class Problems {
  #running = [] // of the game, since the last reload that succeeded
  #checked = [] // of the last check
  #listeners = []

  onChange(listener) {
    this.#listeners.push(listener)
  }

  #changed() {
    for (const listener of this.#listeners) listener()
  }

  /** Adds an error or a warning of the game. */
  add(report) {
    if (!report.file) return
    this.#running = [...this.#running, placeOf(report, report.kind)].slice(-MOST)
    this.#changed()
  }

  /** A reload has succeeded: problems of the code before it are over. */
  reloaded() {
    this.#running = []
    this.#changed()
  }

  /** Replaces the problems of the last check. */
  setChecked(reports) {
    this.#checked = reports
      .filter((report) => report.file)
      .map((report) => placeOf(report, report.text.startsWith("warning: ") ? "warning" : "error"))
    this.#changed()
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
