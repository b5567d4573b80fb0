/*
** Problems of the running game and of --check, by file and line. Reports of the player name them as
** "GAME/file.lua:LINE: message", or with /games/ before it; more lines may follow.
*/
const PLACE = /^(?:warning: )?(?:\.\/)?([^\s:"']+\.lua):(\d+): ([\s\S]+)$/

/** Returns { path, line, message }, or null when a report names no line of the game. */
export function placeOf(report, game) {
  const found = PLACE.exec(report)
  if (!found) return null
  const [, file, line, rest] = found
  const path = file.replace(/^\/games\//, "").replace(`${game}/`, "")
  const hint = /^ *hint: (.*)$/m.exec(rest)
  return { path, line: Number(line), message: rest.split("\n")[0] + (hint ? ` (${hint[1]})` : "") }
}

export class Problems {
  constructor(game) {
    this.game = game
    this.running = [] // of the game, since the last reload that succeeded
    this.checked = [] // of the last --check
    this.listeners = []
  }

  onChange(listener) { this.listeners.push(listener) }

  #changed() { for (const listener of this.listeners) listener() }

  /** Adds a report of the game: an error or a warning. */
  add(report, severity) {
    const place = placeOf(report, this.game)
    if (!place || this.running.some((p) => p.path === place.path && p.line === place.line && p.message === place.message))
      return
    this.running.push({ ...place, severity })
    if (this.running.length > 50) this.running.shift()
    this.#changed()
  }

  /** A reload has succeeded: problems of the code before it are over. */
  reloaded() {
    if (this.running.length === 0) return
    this.running = []
    this.#changed()
  }

  /** Replaces the problems of --check by the lines that it printed. */
  setChecked(lines) {
    this.checked = lines.map((line) => placeOf(line, this.game)).filter(Boolean)
      .map((place) => ({ ...place, severity: "error" }))
    this.#changed()
  }

  /** All problems, each line and message once; those of the running game first. */
  all() {
    const seen = new Set()
    return [...this.running, ...this.checked].filter(({ path, line, message }) => {
      const key = `${path}:${line}:${message.split(" (")[0]}`
      return !seen.has(key) && seen.add(key)
    })
  }

  of(path) { return this.all().filter((problem) => problem.path === path) }
}
