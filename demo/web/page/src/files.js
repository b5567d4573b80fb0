// Files of the open game: new, renamed, deleted, dropped. Each can be undone.
import { fromEvent } from "file-selector"

import { checkGame, counter, LIMITS, Refusal } from "./archive.js"

const byId = (id) => document.getElementById(id)
const CLASS = (name) =>
  `local spawnpool <const> = require "spawnpool"\n\nreturn spawnpool.class("${name}", {\n  radius = 8,\n})\n`

/** The text of a new file: a class, where that is what its place is for. */
function textFor(path) {
  const [, name] = /^pools\/([A-Za-z_]\w*)\.lua$/.exec(path) ?? []
  return name ? CLASS(name) : path.endsWith(".lua") ? "local it <const> = {}\n\nreturn it\n" : "\n"
}

/** Where a dropped file belongs, by its ending. */
function placeOf(name) {
  const [, ending] = /\.(\w+)$/.exec(name.toLowerCase()) ?? []
  const folder = { png: "sprites/", wav: "sounds/", ogg: "sounds/" }[ending] ?? ""
  return folder + name.replace(/[^\w.-]+/g, "_")
}

/** `page` has current(): the project, editor(), openFile(path), change(text, work), which tells what is done and can
    undo it, and attempt(work). Returns what adds the files of a drop. */
export function listenForFiles({ current, editor, openFile, change, attempt }) {
  const form = byId("file-form"),
    input = byId("file-name")
  let finish = null

  /** Asks for the path of a new file; `done(path)`. */
  function ask(label, value, done) {
    form.hidden = false
    byId("tab-files").checked = true
    Object.assign(input, { ariaLabel: label, placeholder: label, value })
    input.focus()
    input.setSelectionRange(0, value.replace(/\.\w+$/, "").length)
    finish = done
  }

  function checkPath(path) {
    const { files } = current()
    counter(LIMITS)(path, 0)
    checkGame(new Map([...files, [path, new Uint8Array()]]))
    if (files.has(path)) throw new Refusal(`There is a file “${path}” already.`)
    return path
  }

  form.onsubmit = (event) => {
    event.preventDefault()
    attempt(() => {
      finish(checkPath(input.value.trim()))
      form.hidden = true
    })
  }
  form.onkeydown = ({ key }) => {
    if (key === "Escape") form.hidden = true
  }

  byId("new-file").onclick = () =>
    ask("New file: pools/Rain.lua", "new.lua", (path) => {
      change(`${path} is new.`, () => current().write(path, textFor(path)))
      openFile(path)
    })

  byId("rename-file").onclick = () => {
    const { path } = editor()
    ask(`New name of ${path}`, path, (wanted) => {
      change(`${path} is now ${wanted}. The code may still name the old one.`, () => {
        current().write(wanted, current().files.get(path))
        current().remove(path)
        editor().reread(path)
      })
      openFile(wanted)
    })
  }

  byId("delete-file").onclick = () => {
    const { path } = editor()
    change(`${path} is deleted.`, () => {
      current().remove(path)
      editor().reread(path)
      openFile("main.lua")
    })
  }

  /** Adds pictures and sounds that were dropped; they replace those of the same name. */
  return async (event) => {
    const project = current(),
      count = counter(LIMITS),
      added = new Map()
    for (const [path, bytes] of project.files) count(path, bytes.length)
    for (const file of await fromEvent(event)) {
      count(placeOf(file.name), file.size)
      added.set(placeOf(file.name), new Uint8Array(await file.arrayBuffer()))
    }
    checkGame(new Map([...project.files, ...added]))
    if (project !== current()) return
    const writeAll = () => added.forEach((bytes, path) => project.write(path, bytes))
    change(`${[...added.keys()].join(", ")} is in the game.`, writeAll)
  }
}
