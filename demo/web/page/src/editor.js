// The editor: one document per file, with its own history and position. It lives in a shadow root, where its styles are
// constructed sheets: the page's policy allows no inline style.
import { autocompletion } from "@codemirror/autocomplete"
import { indentWithTab } from "@codemirror/commands"
import { StreamLanguage, indentUnit, syntaxHighlighting } from "@codemirror/language"
import { lua } from "@codemirror/legacy-modes/mode/lua"
import { lintGutter, setDiagnostics } from "@codemirror/lint"
import { EditorState } from "@codemirror/state"
import { Decoration, EditorView, MatchDecorator, ViewPlugin, hoverTooltip, keymap, lineNumbers } from "@codemirror/view"
import { classHighlighter, tags } from "@lezer/highlight"
import { basicSetup, minimalSetup } from "codemirror"

import annotations from "annotations:"
import { complete, describe, isWhole } from "./complete.js"
import look from "./editor.css"
import { make } from "./panels.js"

const luaLanguage = StreamLanguage.define({ ...lua, tokenTable: { builtin: tags.macroName } })

function luaSupport({ files }) {
  const source = (context) => {
    const before = context.state.sliceDoc(0, context.pos)
    if (!context.explicit && !context.matchBefore(/[\w.:"']$/)) return null
    const classes = [...files.keys()].map((path) => /^pools\/(\w+)\.lua$/.exec(path)?.[1]).filter(Boolean)
    const found = complete(before, annotations, classes)
    return found && { ...found, validFor: (typed) => /^\w*$/.test(typed) && !isWhole(typed, found.options) }
  }
  return [luaLanguage, autocompletion({ override: [source], icons: false }), indentUnit.of("  ")]
}

/** Returns the first character of a line that is not blank, as a range to its end. */
function rangeOf(state, line) {
  const at = state.doc.line(Math.max(1, Math.min(line, state.doc.lines)))
  return { from: at.from + at.text.search(/\S|$/), to: at.to }
}

/** Numbers can be dragged; one with a comment that says so is marked. */
const numbers = new MatchDecorator({
  regexp: /(?<![\w.])\d+(?:\.\d+)?(?![\w.])/g,
  decorate: (add, from, to, match, { state }) => {
    const { text, from: start } = state.doc.lineAt(from)
    if (text.slice(0, from - start).includes("--")) return
    add(from, to, Decoration.mark({ class: text.includes("-- drag") ? "number marked" : "number" }))
  },
})
const PIXELS = 4 // for a step of a tenth of the number, or of its last digit

/** Returns the text of a number after some steps of a tenth of it, or of its last digit. */
function stepped(text, steps) {
  const value = Number(text),
    digits = text.split(".")[1]?.length ?? 0,
    step = Math.max(10 ** -digits, 10 ** Math.floor(Math.log10(value || 1) - 1))
  return Math.max(0, value + steps * step).toFixed(digits)
}

/** Steps the number at the cursor; false when there is none: then the keys move the line. */
const stepNumber = (steps) => (view) => {
  const { state } = view,
    line = state.doc.lineAt(state.selection.main.head),
    column = state.selection.main.head - line.from
  for (const found of line.text.matchAll(/(?<![\w.])\d+(?:\.\d+)?(?![\w.])/g)) {
    const { index } = found,
      from = line.from + index
    if (column < index || column > index + found[0].length) continue
    const insert = stepped(found[0], steps)
    view.dispatch({ changes: { from, to: from + found[0].length, insert }, userEvent: "input.drag" })
    return true
  }
  return false
}
const numberKeys = [
  { key: "Alt-ArrowUp", run: stepNumber(1) },
  { key: "Alt-ArrowDown", run: stepNumber(-1) },
]

/** Documentation of the word under the pointer. */
const hoverDocs = hoverTooltip((view, pos) => {
  const found = describe(view.state.doc.toString(), pos, annotations)
  if (!found) return null
  const { from, to, title, info } = found
  const create = () => ({ dom: make("div", { className: "docs" }, make("b", {}, title), make("div", {}, info)) })
  return { pos: from, end: to, above: true, create }
})

/** Drags the number under the pointer; without a movement it is a click. */
function drag(event, view, editor) {
  const number = event.target.closest?.(".number")
  if (!number || event.button !== 0) return false
  const from = view.posAtDOM(number),
    { length } = number.textContent,
    text = number.textContent,
    { contentDOM } = view
  let to = from + length
  contentDOM.setPointerCapture(event.pointerId)
  contentDOM.onpointermove = ({ clientX }) => {
    const steps = Math.trunc((clientX - event.clientX) / PIXELS)
    const insert = stepped(text, steps)
    if (insert === view.state.sliceDoc(from, to)) return
    editor.isDragging = true
    view.dispatch({ changes: { from, to, insert }, userEvent: "input.drag" })
    to = from + insert.length
  }
  contentDOM.onlostpointercapture = () => {
    contentDOM.onpointermove = contentDOM.onlostpointercapture = null
    const anchor = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? from
    if (!editor.isDragging) view.dispatch({ selection: { anchor } })
    editor.isDragging = false
    view.focus()
  }
  return true
}

const draggedNumbers = (editor) =>
  ViewPlugin.define(
    (view) => ({
      decorations: numbers.createDeco(view),
      update(change) {
        this.decorations = numbers.updateDeco(change, this.decorations)
      },
    }),
    {
      decorations: (it) => it.decorations,
      eventHandlers: {
        pointerdown: (event, view) => drag(event, view, editor),
        mousedown: ({ target }) => Boolean(target.closest?.(".number")), // no selection begins there
      },
    },
  )

// Highlighting, brackets and numbers look at a whole line each time.
const LONG_LINE = /[^\n]{5000}/
const plainSetup = [minimalSetup, lineNumbers()]

export class Editor {
  #view
  #states
  #project
  #onEdit
  path = null // of the open file
  isDragging = false // a number

  /** `onEdit(path, text)` is called for each change that a person makes. */
  constructor(host, onEdit) {
    const root = host.attachShadow({ mode: "open" })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(look)
    root.adoptedStyleSheets = [sheet]
    this.#onEdit = onEdit
    this.#view = new EditorView({ parent: root, root })
  }

  /** Edits the files of another project. */
  start(project) {
    this.#project = project
    this.#states = new Map()
    this.path = null
  }

  #newState(path) {
    const text = this.#project.text(path),
      isPlain = !path.endsWith(".lua") || LONG_LINE.test(text)
    return EditorState.create({
      doc: text,
      extensions: [
        /[^\r]\n/.test(text) || !text.includes("\r\n") ? [] : EditorState.lineSeparator.of("\r\n"),
        keymap.of(numberKeys),
        isPlain ? plainSetup : basicSetup,
        keymap.of([indentWithTab]),
        isPlain ? [] : [luaSupport(this.#project), draggedNumbers(this), hoverDocs],
        lintGutter(),
        syntaxHighlighting(classHighlighter),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) this.#onEdit(this.path, state.sliceDoc())
        }),
        EditorState.readOnly.of(!this.#project.isText(path)),
        EditorView.contentAttributes.of({ "aria-label": path, tabindex: "0" }),
      ],
    })
  }

  open(path) {
    if (this.path !== null && this.#project.files.has(this.path)) this.#states.set(this.path, this.#view.state)
    this.path = path
    this.#view.setState(this.#states.get(path) ?? this.#newState(path))
  }

  /** Reads a file again that differs from what the editor has: a step that it can undo. */
  reread(path) {
    if (!this.#project.files.has(path)) {
      this.#states.delete(path)
      if (path === this.path) this.path = null
      return
    }
    const state = path === this.path ? this.#view.state : this.#states.get(path)
    if (!state || this.#project.text(path) === state.sliceDoc()) return
    const text = state.toText(this.#project.text(path)),
      change = state.update({ changes: { from: 0, to: state.doc.length, insert: text }, userEvent: "input.revert" })
    if (path === this.path) this.#view.dispatch(change)
    else this.#states.set(path, change.state)
  }

  showProblems(problems) {
    const { state } = this.#view
    const diagnostics = problems.map(({ line, message, kind: severity }) => {
      return { ...rangeOf(state, line), severity, message }
    })
    this.#view.dispatch(setDiagnostics(state, diagnostics.sort((a, b) => a.from - b.from)))
  }

  goTo(line) {
    const { from } = rangeOf(this.#view.state, line)
    const effects = EditorView.scrollIntoView(from, { y: "center" })
    this.#view.dispatch({ selection: { anchor: from }, effects })
    this.#view.focus()
  }
}
