// Files of the open game: new, renamed, deleted, dropped. Each can be undone.
import { fromEvent } from "file-selector"

import { checkGame, counter, LIMITS, Refusal } from "./archive.js"

const byId = (id) => document.getElementById(id)
const CLASS = (name) =>
  `local spawnpool <const> = require "spawnpool"\n\nreturn spawnpool.class("${name}", {\n  radius = 8,\n})\n`

/** Where a dropped file belongs, by its ending. */
function placeOf(name) {
  const [, ending] = /\.(\w+)$/.exec(name.toLowerCase()) ?? []
  const folder = { png: "sprites/", wav: "sounds/", ogg: "sounds/" }[ending] ?? ""
  return folder + name.replace(/[^\w.-]+/g, "_")
}

/** `page` has current(): the project, editor(), openFile(path), flush(), toast(text, action) and attempt(work). */
export function listenForFiles({ current, editor, openFile, flush, toast, attempt }) {
  const form = byId("file-form"),
    input = byId("file-name")
  let finish = null

  /** Asks for a path; `done(path)`. */
  function ask(label, value, done) {
    form.hidden = false
    byId("tab-files").checked = true
    input.ariaLabel = label
    input.placeholder = label
    input.value = value
    input.focus()
    input.setSelectionRange(0, value.replace(/\.\w+$/, "").length)
    finish = done
  }

  const close = () => (form.hidden = true)
  form.onsubmit = (event) => {
    event.preventDefault()
    attempt(() => {
      finish(input.value.trim())
      close()
    })
  }
  form.onkeydown = ({ key }) => {
    if (key === "Escape") close()
  }

  function checkPath(path) {
    const { files } = current()
    counter(LIMITS)(path, 0)
    checkGame(new Map([...files, [path, new Uint8Array()]]))
    if (files.has(path)) throw new Refusal(`There is a file “${path}” already.`)
    return path
  }

  byId("new-file").onclick = () =>
    ask("New file: pools/Rain.lua", "new.lua", (path) => {
      const [, name] = /^pools\/([A-Za-z_]\w*)\.lua$/.exec(checkPath(path)) ?? []
      current().write(path, name ? CLASS(name) : path.endsWith(".lua") ? "local it <const> = {}\n\nreturn it\n" : "\n")
      flush()
      openFile(path)
    })

  byId("rename-file").onclick = () => {
    const { path } = editor()
    ask(`New name of ${path}`, path, (wanted) => {
      if (wanted === path) return
      const project = current()
      project.write(checkPath(wanted), project.files.get(path))
      project.remove(path)
      flush()
      editor().reread(path)
      openFile(wanted)
      toast(`${path} is now ${wanted}. The code may still name the old one.`)
    })
  }

  byId("delete-file").onclick = () => {
    const { path } = editor(),
      project = current(),
      bytes = project.files.get(path)
    project.remove(path)
    editor().reread(path)
    flush()
    openFile("main.lua")
    toast(`${path} is deleted.`, {
      Undo: () => {
        project.write(path, bytes)
        flush()
        if (current() === project) openFile(path)
      },
    })
  }

  /** Adds pictures and sounds that were dropped; they replace those of the same name. */
  async function addFiles(event) {
    const project = current(),
      before = project.changes(),
      added = []
    const files = await fromEvent(event)
    const count = counter(LIMITS)
    for (const [path, bytes] of project.files) count(path, bytes.length)
    for (const file of files) {
      const path = placeOf(file.name)
      count(path, file.size)
      added.push([path, new Uint8Array(await file.arrayBuffer())])
    }
    checkGame(new Map([...project.files, ...added]))
    for (const [path, bytes] of added) project.write(path, bytes)
    flush()
    const undo = () => {
      project.restore(before)
      flush()
    }
    toast(`${added.map(([path]) => path).join(", ")} is in the game.`, { Undo: undo })
  }
  return { addFiles }
}
