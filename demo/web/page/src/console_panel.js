// The console: what the game prints and reports, and a line of Lua that runs in it. Lines that name a place of the
// game lead there.
const MOST = 500 // lines
const LONGEST = 20000 // characters of a line

export class ConsolePanel {
  #log
  #rows = [] // that the next frame shows: a game may print thousands of lines in one
  #history = []
  #at = 0

  /** `onLine(text)` runs a line; `onPlace(path, line)` opens a file. */
  constructor(log, form, onLine, onPlace) {
    this.#log = log
    this.onPlace = onPlace
    const input = form.querySelector("input")
    form.onsubmit = (event) => {
      event.preventDefault()
      const text = input.value.trim()
      if (!text) return
      this.#history.push(text)
      this.#at = this.#history.length
      input.value = ""
      this.add("input", text)
      onLine(text)
    }
    input.onkeydown = (event) => {
      const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0
      if (step === 0) return
      event.preventDefault()
      this.#at = Math.max(0, Math.min(this.#history.length, this.#at + step))
      input.value = this.#history[this.#at] ?? ""
    }
  }

  clear() {
    this.#rows = []
    this.#log.replaceChildren()
  }

  /** Adds a line; kind: print, warning, error, reload, note or input. `file` and `line`: where it leads. */
  add(kind, text, file = null, line = 0) {
    const row = document.createElement(file ? "button" : "div")
    row.className = kind
    row.textContent = text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text
    if (file) row.onclick = () => this.onPlace(file, line)
    if (this.#rows.push(row) === 1) requestAnimationFrame(() => this.#show())
    if (this.#rows.length > MOST) this.#rows.shift()
  }

  #show() {
    const log = this.#log,
      atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40
    log.append(...this.#rows)
    this.#rows = []
    while (log.childElementCount > MOST) log.firstElementChild.remove()
    if (atEnd) log.scrollTop = log.scrollHeight
  }
}
