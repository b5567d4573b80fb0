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
const ADDED_MOST = 100 // lines at once
const LINE_MOST = 20000 // characters

function makeLine({ kind, text, onclick }) {
  const row = make(onclick ? "button" : "div", { className: kind, onclick })
  row.textContent = text.length > LINE_MOST ? `${text.slice(0, LINE_MOST)}… (${text.length} characters)` : text
  return row
}

/** Adds lines to what the game prints and reports, { kind, text, onclick }; kind: print, warning, error, reload, note
    or input. `onclick` opens the place that it names. Of many the last ones are shown. The style of the log keeps its
    end in view: nothing is measured here. */
export function addLines(log, lines) {
  const left = lines.length - ADDED_MOST,
    count = { kind: "note", text: `… ${left.toLocaleString("en")} lines more` }
  log.append(...[...(left > 0 ? [count] : []), ...lines.slice(-ADDED_MOST)].map(makeLine))
  while (log.childElementCount > LINES_MOST) log.firstElementChild.remove()
}

/** Listens for lines of Lua, with a history; `onLine(text)`. */
export function listenForLines(form, onLine) {
  const input = form.querySelector("input"),
    history = []
  let at = 0
  form.onsubmit = (event) => {
    event.preventDefault()
    const text = input.value.trim()
    if (!text) return
    at = history.push(text)
    input.value = ""
    onLine(text)
  }
  input.onkeydown = (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!step) return
    event.preventDefault()
    at = Math.max(0, Math.min(history.length, at + step))
    input.value = history[at] ?? ""
  }
}
