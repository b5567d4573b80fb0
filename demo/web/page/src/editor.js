// The editor: one document per file, with its own history and position. It lives in a shadow root, where its styles
// are constructed sheets: the page's policy allows no inline style.
import { autocompletion } from "@codemirror/autocomplete"
import { indentWithTab } from "@codemirror/commands"
import { HighlightStyle, StreamLanguage, indentUnit, syntaxHighlighting } from "@codemirror/language"
import { lua } from "@codemirror/legacy-modes/mode/lua"
import { lintGutter, setDiagnostics } from "@codemirror/lint"
import { EditorState } from "@codemirror/state"
import { EditorView, keymap } from "@codemirror/view"
import { tags } from "@lezer/highlight"
import { basicSetup } from "codemirror"

import annotations from "annotations:"
import { complete } from "./complete.js"

// Colours are the page's variables, so that light and dark need no change here.
const look = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--editor)", fontSize: "var(--code-size, 13.5px)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--accent)", padding: "10px 0" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "var(--editor)", color: "var(--faint)", border: "none" },
  ".cm-activeLine": { backgroundColor: "var(--line)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--line)", color: "var(--dim)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--selection)",
  },
  ".cm-matchingBracket": { backgroundColor: "var(--selection)", outline: "none" },
  ".cm-selectionMatch": { backgroundColor: "var(--selection)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad) 1.2px",
    textUnderlineOffset: "3px",
  },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--warn) 1.2px",
    textUnderlineOffset: "3px",
  },
  ".cm-gutter-lint": { width: "1em" },
  ".cm-lint-marker-error, .cm-lint-marker-warning": {
    content: "none",
    width: ".5em",
    height: ".5em",
    borderRadius: "50%",
    margin: ".55em auto 0",
  },
  ".cm-lint-marker-error": { backgroundColor: "var(--bad)" },
  ".cm-lint-marker-warning": { backgroundColor: "var(--warn)" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--text)",
    border: "1px solid var(--edge)",
    borderRadius: "8px",
    boxShadow: "0 8px 24px rgb(0 0 0 / .25)",
    overflow: "hidden",
    maxWidth: "min(560px, 90vw)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "12.5px", maxHeight: "15em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 8px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { opacity: ".65", fontStyle: "normal", marginLeft: ".8em" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-completionInfo": { whiteSpace: "pre-line", padding: "8px 10px", fontSize: "12.5px", fontFamily: "var(--sans)" },
  ".cm-diagnostic": { padding: "6px 10px", fontFamily: "var(--mono)", fontSize: "12.5px" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--bad)" },
  ".cm-diagnostic-warning": { borderLeft: "3px solid var(--warn)" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)", borderColor: "var(--edge)" },
  ".cm-textfield": { backgroundColor: "var(--editor)", border: "1px solid var(--edge)", borderRadius: "5px" },
  ".cm-button": {
    backgroundImage: "none",
    backgroundColor: "var(--editor)",
    border: "1px solid var(--edge)",
    borderRadius: "5px",
    color: "var(--text)",
  },
})

const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.keyword, color: "var(--code-keyword)" },
    { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
    { tag: [tags.number, tags.bool, tags.atom], color: "var(--code-number)" },
    { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
    { tag: [tags.standard(tags.variableName), tags.function(tags.variableName)], color: "var(--code-builtin)" },
    { tag: tags.attributeName, color: "var(--code-builtin)" },
  ]),
)

const classesOf = (project) =>
  [...project.files.keys()].map((path) => /^pools\/(\w+)\.lua$/.exec(path)?.[1]).filter(Boolean)

function luaSupport(project) {
  const source = (context) => {
    const before = context.state.sliceDoc(0, context.pos)
    if (!context.explicit && !context.matchBefore(/[\w.:"']$/)) return null
    const found = complete(before, annotations, classesOf(project))
    return found && { ...found, validFor: /^\w*$/ }
  }
  return [StreamLanguage.define(lua), autocompletion({ override: [source], icons: false }), indentUnit.of("  ")]
}

function diagnosticsOf(state, problems) {
  return problems
    .map(({ line, message, severity }) => {
      const at = state.doc.line(Math.max(1, Math.min(line, state.doc.lines)))
      const from = at.from + at.text.search(/\S|$/)
      return { from, to: Math.max(from, at.to), severity, message }
    })
    .sort((a, b) => a.from - b.from)
}

export class Editor {
  #view
  #states = new Map()
  #path = null
  #project
  #onEdit

  /** `onEdit(path, text)` is called for each change that a person makes. */
  constructor(host, project, onEdit) {
    this.#project = project
    this.#onEdit = onEdit
    this.#view = new EditorView({
      parent: host.shadowRoot ?? host.attachShadow({ mode: "open" }),
      root: host.shadowRoot,
    })
  }

  get path() {
    return this.#path
  }

  get view() {
    return this.#view
  }

  #newState(path) {
    const language = path.endsWith(".lua") ? luaSupport(this.#project) : []
    const edits = EditorView.updateListener.of((update) => {
      if (
        update.docChanged &&
        update.transactions.some(
          (t) =>
            t.isUserEvent("input") ||
            t.isUserEvent("delete") ||
            t.isUserEvent("move") ||
            t.isUserEvent("undo") ||
            t.isUserEvent("redo"),
        )
      )
        this.#onEdit(this.#path, update.state.sliceDoc())
    })
    const text = this.#project.text(path)
    return EditorState.create({
      doc: text,
      extensions: [
        /[^\r]\n/.test(text) || !text.includes("\r\n") ? [] : EditorState.lineSeparator.of("\r\n"),
        basicSetup,
        keymap.of([indentWithTab]),
        language,
        lintGutter(),
        look,
        colours,
        edits,
        EditorState.readOnly.of(!this.#project.isText(path)),
        EditorView.contentAttributes.of({ "aria-label": path }),
      ],
    })
  }

  open(path) {
    if (this.#path !== null && this.#project.files.has(this.#path)) this.#states.set(this.#path, this.#view.state)
    this.#path = path
    this.#view.setState(this.#states.get(path) ?? this.#newState(path))
  }

  /** The file differs from what the editor has: reads it again. */
  reread(path) {
    this.#states.delete(path)
    if (path !== this.#path) return
    if (!this.#project.files.has(path)) this.#path = null
    else if (this.#project.text(path) !== this.#view.state.sliceDoc()) this.#view.setState(this.#newState(path))
  }

  showProblems(problems) {
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnosticsOf(this.#view.state, problems)))
  }

  goTo(line) {
    const at = this.#view.state.doc.line(Math.max(1, Math.min(line, this.#view.state.doc.lines)))
    this.#view.dispatch({
      selection: { anchor: at.from + at.text.search(/\S|$/) },
      effects: EditorView.scrollIntoView(at.from, { y: "center" }),
    })
    this.#view.focus()
  }

  focus() {
    this.#view.focus()
  }

  destroy() {
    this.#view.destroy()
  }
}
