/*
** The page inside the frame: one canvas, one game, one WebAssembly instance. A new game is a new frame, so nothing of an
** earlier game remains. The page around it talks over a port:
**
**   in    open { game } or { zip } or { name, files }; write { files, removed }; key { name, down }; eval { text }
**   out   started, frame, report { kind, text }, ended, trouble { text }, note { text }
*/
import { plainName, readZip, Refusal } from "./archive.js"
import { sendKey } from "./keys.js"
import { missing, sentence } from "./needs.js"
import { Saved } from "./saved.js"

const KINDS = ["print", "warning", "error", "reload"]
const MEMORY = 512 // MiB for a game: phones give a page little more
const canvas = document.getElementById("canvas")
const byId = (id) => document.getElementById(id)

let port = null, module = null, run = 0, root = null, frames = 0, saved = null, over = false
const early = [] // messages that came before the game ran

const say = (message) => port?.postMessage(message)

function trouble(text) {
  if (over) return
  over = true
  byId("wait").hidden = true
  byId("trouble").hidden = false
  byId("trouble").firstElementChild.textContent = text
  const again = byId("trouble").querySelector("button")
  again.hidden = !module
  again.onclick = () => location.reload()
  say({ type: "trouble", text })
}

// {== The module ==============================================================

// Fetched and compiled while the page sends the game. One compiled module serves the instance.
const problem = missing()
const factory = problem ? null : import(new URL("./spawnpool.js", location.href).href)
const compiled = problem ? null : compile()
factory?.catch(() => {})
compiled?.catch(() => {})

async function compile() {
  const response = await fetch("spawnpool.wasm")
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  try {
    return await WebAssembly.compileStreaming(response.clone())
  } catch {
    return WebAssembly.compile(await response.arrayBuffer()) // a server that does not know the type
  }
}

async function instantiate() {
  const wasm = await compiled
  const options = {
    canvas,
    locateFile: (name) => new URL(name, location.href).href,
    instantiateWasm: (imports, receive) => {
      WebAssembly.instantiate(wasm, imports).then((instance) => receive(instance, wasm), (error) => trouble(sentence(error)))
      return {}
    },
    print: () => {}, // the same text comes as a report
    printErr: () => {},
    onReport: (kind, text) => say({ type: "report", kind: KINDS[kind] ?? "print", text }),
    onAbort: (what) => trouble(sentence(what)),
  }
  return (await factory).default(options)
}

// }==

// {== The game ================================================================

const folderOf = (path) => path.slice(0, path.lastIndexOf("/"))

function writeFiles(files) {
  for (const [path, bytes] of files) {
    module.FS.mkdirTree(folderOf(`${root}/${path}`))
    module.FS.writeFile(`${root}/${path}`, bytes)
  }
}

function change({ files, removed }) {
  writeFiles(files)
  for (const path of removed) if (module.FS.analyzePath(`${root}/${path}`).exists) module.FS.unlink(`${root}/${path}`)
  module._sp_web_reload(run)
}

async function readGame({ game, zip, name, files }) {
  if (files) return { name: plainName(name), files }
  if (!zip) {
    const response = await fetch(`games/${plainName(game)}.zip`)
    if (!response.ok) throw new Refusal(`There is no game “${plainName(game)}” here.`)
    zip = await response.arrayBuffer()
  }
  const read = readZip(new Uint8Array(zip))
  return { name: plainName(name ?? game ?? read.name), files: read.files }
}

function end() {
  saved.store()
  module._sp_web_close(run)
  say({ type: "ended" })
  trouble("The game has ended.")
}

function onFrame() {
  if (over) return
  try {
    if (!module._sp_web_frame(run)) return end()
  } catch (error) {
    return trouble(sentence(error))
  }
  if (frames === 0) {
    byId("wait").hidden = true
    say({ type: "frame" })
  }
  frames += 1
  requestAnimationFrame(onFrame)
}

// Browsers keep pages silent until the first click or key in them.
function showSilence(files) {
  const quiet = [...files.keys()].some((path) => path.startsWith("sounds/")) && !navigator.userActivation?.hasBeenActive
  byId("sound").hidden = !quiet
  const wake = () => { byId("sound").hidden = true }
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, wake, { once: true, capture: true })
}

async function open(message, owner) {
  const args = message.args?.length ? ["--", ...message.args] : []
  try {
    if (problem) throw new Refusal(problem)
    const { name, files } = await readGame(message)
    module = await instantiate()
    if (over) return
    root = `/games/${name}`
    module.FS.mkdirTree(root)
    writeFiles(files)
    saved = new Saved(module.FS, `${owner}/${name}`, () =>
      say({ type: "note", text: "This browser refuses storage: what games save is lost when the page closes." }))
    saved.load()
    module.FS.chdir("/games") // problems read "rain/main.lua:3"
    run = module.ccall("sp_web_open", "number", ["string"], [["--memory", MEMORY, name, ...args].join("\n")])
    if (!run) throw new Refusal("This game cannot be opened: the console below the game says why.")
    module._sp_web_start(run)
    say({ type: "started", name })
    for (const data of early) act[data.type]?.(data)
    showSilence(files)
    setInterval(() => over || saved.store(), 2000)
    requestAnimationFrame(onFrame)
  } catch (error) {
    trouble(error instanceof Refusal ? error.message : sentence(error))
  }
}

// }==

const act = {
  write: change,
  key: ({ name, down }) => sendKey(canvas, name, down),
  eval: ({ text }) => module.ccall("sp_web_eval", "number", ["number", "string"], [run, text]),
  focus: () => canvas.focus(),
}

addEventListener("message", (event) => {
  if (event.source !== parent || event.data?.type !== "open" || port || !event.ports[0]) return
  port = event.ports[0]
  port.onmessage = ({ data }) => {
    if (!run) early.push(data)
    else if (!over) act[data.type]?.(data)
  }
  open(event.data, event.origin)
})

canvas.addEventListener("pointerdown", () => canvas.focus())
canvas.addEventListener("contextmenu", (event) => event.preventDefault())
addEventListener("pagehide", () => over || saved?.store())
addEventListener("error", (event) => trouble(sentence(event.error ?? event.message)))
addEventListener("unhandledrejection", (event) => trouble(sentence(event.reason)))
if (parent === window) trouble("This page plays games inside other pages: see index.html.")
else parent.postMessage({ type: "spawnpool-player" }, "*")
