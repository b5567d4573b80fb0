// Panels of the page: the list of the game's files with their problems, and the console.

/** Makes an element with these properties, of which `dataset` is one, and children. */
export function make(tag, { dataset = {}, ...properties } = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties)
  Object.assign(element.dataset, dataset)
  element.append(...children)
  return element
}

/** Returns the reports that name a place, each line and message once. */
export function placed(reports) {
  const keyOf = ({ file, line, message }) => `${file}:${line}:${message.split(" (")[0]}`
  const found = reports.filter(({ file }) => file)
  return found.filter((report, i) => found.findIndex((other) => keyOf(other) === keyOf(report)) === i)
}

/** The files that the editor opens, by folder. A dot marks edited files, a number their problems. `onOpen(path)`. */
export function listFiles(host, { project, problems, open, onOpen }) {
  const rows = []
  let folder = ""
  for (const path of project.sources()) {
    const its = path.slice(0, path.lastIndexOf("/") + 1),
      isChanged = project.isChanged(path),
      count = problems.filter(({ file }) => file === path).length
    if (its !== folder) rows.push(make("div", { className: "folder", textContent: its }))
    folder = its
    const row = make("button", { dataset: { path }, onclick: () => onOpen(path), ariaCurrent: String(path === open) })
    row.className = isChanged ? "changed" : ""
    row.title = isChanged ? `${path}: edited` : path
    row.append(make("span", {}, path.slice(its.length)), ...(count > 0 ? [make("em", {}, count)] : []))
    rows.push(row)
  }
  host.replaceChildren(...rows)
}

const LINES_MOST = 500
const LINE_MOST = 20000 // characters

/** What the game prints and reports, and a line of Lua that runs in it. Lines that name a file of the game open it. */
export class Console {
  #log
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
      this.#at = this.#history.push(text)
      input.value = ""
      this.add("input", text)
      onLine(text)
    }
    input.onkeydown = (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
      if (!step) return
      event.preventDefault()
      this.#at = Math.max(0, Math.min(this.#history.length, this.#at + step))
      input.value = this.#history[this.#at] ?? ""
    }
  }

  /** Adds a line; kind: print, warning, error, reload, note or input. `file` and `line`: where it leads. The style of
      the log keeps its end in view: nothing is measured here, as a game may print thousands of lines in a frame. */
  add(kind, text, file = null, line = 0) {
    const row = make(file ? "button" : "div", { className: kind })
    row.textContent = text.length > LINE_MOST ? `${text.slice(0, LINE_MOST)}… (${text.length} characters)` : text
    if (file) row.onclick = () => this.onPlace(file, line)
    this.#log.append(row)
    if (this.#log.childElementCount > LINES_MOST) this.#log.firstElementChild.remove()
  }
}
