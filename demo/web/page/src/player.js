// The page inside the frame: one canvas, one game, one instance of the WebAssembly. A new game is a new frame, so
// nothing of an earlier game remains. The page around it talks over a port:
//
//   in    open { origin, and game, or zip and name, or name and files }; write { files, removed }; key { name, down };
//         eval { text }; focus
//   out   started, frame, report { kind, text, file, line, message }, result { result }, ended, trouble { text },
//         note { text }
import { openPlayer } from "../../player.mjs"
import { readZip } from "./archive.js"
import { sendKey } from "./keys.js"
import { missing, sentence } from "./needs.js"
import { plainName, Refusal } from "./refusal.js"
import { Saved } from "./saved.js"

const MEMORY = 256 // MiB for a game: as many addresses as the timeline copies
const PATIENCE = 1.5 // seconds that a call into the game may take: the page stands still meanwhile
const canvas = document.getElementById("canvas")
const byId = (id) => document.getElementById(id)

let port = null,
  player = null,
  root = null,
  saved = null,
  started = false,
  over = false,
  readsTab = false
const textOf = (bytes) => new TextDecoder().decode(bytes)
const early = [] // messages that came before the game ran

const say = (message) => port?.postMessage(message)

function trouble(text) {
  if (over) return
  over = true
  byId("wait").hidden = true
  byId("trouble").hidden = false
  byId("trouble").firstElementChild.textContent = text
  say({ type: "trouble", text })
}

// {== The game ================================================================

function onEnd(code) {
  saved?.store()
  if (over) return
  say({ type: "ended", code })
  trouble(crash ?? "The game has ended. “Restart” plays it again.")
}

let crash = null // a sentence, once the WebAssembly itself has failed

function onReport(report) {
  if (report.text.startsWith("the player has crashed")) crash = sentence(report.message)
  say({ type: "report", ...report, text: report.text.replaceAll(`${root}/`, "") })
}

// The instance is made while the page sends the game.
const problem = missing(canvas)
const opening = problem ? null : openPlayer({ canvas, base: new URL("./", location.href), onReport, onEnd })
opening?.catch(() => {})

function writeFiles(files) {
  for (const [path, bytes] of files) player.write(`${root}/${path}`, bytes)
  readsTab ||= [...files].some(([path, bytes]) => path.endsWith(".lua") && /["']tab["']/.test(textOf(bytes)))
}

async function change({ files, removed }) {
  writeFiles(files)
  const known = new Set(player.files(root))
  for (const path of removed) if (known.has(`${root}/${path}`)) player.remove(`${root}/${path}`)
  const { result } = await player.reload()
  say({ type: "result", result })
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

// Browsers keep pages silent until the first click or key in them.
function showSilence(files) {
  const quiet = [...files.keys()].some((path) => path.startsWith("sounds/")) && !navigator.userActivation?.hasBeenActive
  byId("sound").hidden = !quiet
  const wake = () => {
    byId("sound").hidden = true
  }
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, wake, { once: true, capture: true })
}

function onFrame() {
  if (over) return
  if (player.figure("frame") < 1 && !player.isStopped) {
    requestAnimationFrame(onFrame)
    return
  }
  byId("wait").hidden = true
  say({ type: "frame" })
}

async function play(message, owner) {
  if (problem) throw new Refusal(problem)
  const { name, files } = await readGame(message)
  player = await opening
  root = `/games/${name}`
  writeFiles(files)
  saved = new Saved(player, owner, message.origin, () =>
    say({ type: "note", text: "This browser stores no more for this game: what it saves is lost when the page closes." }),
  )
  saved.load()
  const args = message.args?.length ? ["--", ...message.args] : []
  await player.play(root, ["--memory", String(MEMORY), ...args], PATIENCE)
  started = true
  say({ type: "started", name })
  for (const data of early) act[data.type]?.(data)
  showSilence(files)
  setInterval(() => over || saved.store(), 2000)
  requestAnimationFrame(onFrame)
}

async function open(message, owner) {
  try {
    await play(message, owner)
  } catch (error) {
    trouble(error instanceof Refusal ? error.message : sentence(error))
  }
}

// }==

// The button that opens the timeline leaves it, too: a phone has no Enter, which goes on from the chosen frame.
const held = new Map()
function pressKey({ name, down }) {
  if (down) held.set(name, name === "f10" && player.figure("timeline") > 0 ? "return" : name)
  sendKey(canvas, held.get(name) ?? name, down)
}

const act = {
  write: change,
  key: pressKey,
  eval: ({ text }) => {
    if (player.eval(text) !== "more") return
    say({ type: "report", kind: "error", text: "this line is not complete: nothing has run", file: null, line: 0 })
  },
  focus: () => canvas.focus(),
}

const announce = () => parent.postMessage({ type: "spawnpool-player" }, "*")

addEventListener("message", (event) => {
  if (event.source !== parent || port) return
  if (event.data?.type === "spawnpool-page") announce()
  if (event.data?.type !== "open" || !event.ports[0]) return
  port = event.ports[0]
  port.onmessage = ({ data }) => {
    if (over) return
    if (!started) early.push(data)
    else act[data.type]?.(data)
  }
  open(event.data, event.origin)
})

// A game that sets its size makes the canvas so large; in a page the frame decides. SDL measures it on this event.
function fit() {
  const { clientWidth, clientHeight, width, height } = canvas
  const differs = (points, pixels) => Math.abs(points * devicePixelRatio - pixels) > 2
  if (differs(clientWidth, width) || differs(clientHeight, height)) dispatchEvent(new UIEvent("resize"))
}
new MutationObserver(fit).observe(canvas, { attributes: true, attributeFilter: ["width", "height"] })

// Tab leaves the game for the rest of the page, unless the game or an overlay reads it. SDL would keep it.
function leave(event) {
  if (event.key !== "Tab" || player?.figure("tab") > 0) return
  if (event.shiftKey || !readsTab) event.stopImmediatePropagation()
}
addEventListener("keydown", leave, { capture: true })

canvas.addEventListener("contextmenu", (event) => event.preventDefault())
addEventListener("pagehide", () => over || saved?.store())
addEventListener("error", (event) => trouble(sentence(event.error ?? event.message)))
addEventListener("unhandledrejection", (event) => trouble(sentence(event.reason)))
if (parent === window) trouble("This page plays games inside other pages: see index.html.")
else announce()
