// Where games run. In the frame: one canvas, one game, one instance; a new game is a new frame, so nothing of an
// earlier one remains. The page around it sends messages over a port:
//
//   in    open { origin, and game, or zip and name, or name and files, or refusal: why there is none }; write { files:
//         Map of path to bytes, or to undefined if it is removed }; key { name, down }; eval { text }; focus
//   out   frame, report { kind, text, file, line, message }, ended, trouble { text }, bug { files: { name: text } }
//
// A packed game has no page around it: see playPacked.
//
// In a worker: checks a game while it is played. In: { name, files }. Out: its problems.
import { fetchGame, plainName, readZip, Refusal } from "./archive.js"
import * as instance from "./instance.js"
import { fromBase64 } from "./link.js"
import { loadSaved } from "./storage.js"

const MEMORY = 256 // MiB for a game: as many addresses as the timeline copies
const PATIENCE = 1.5 // seconds that a call into the game may take: the page stands still meanwhile
const EVAL_MORE = 1 // SP_EVAL_MORE: the text is not complete

const byId = (id) => document.getElementById(id)
let canvas = null,
  port = null,
  root = null,
  store = () => {}, // keeps what the game stores
  over = false,
  readsTab = false

const say = (type, values) => port?.postMessage({ type, ...values })

// (module (func (result v128) i32.const 0 i8x16.splat)): valid only where SIMD is.
const SIMD = fromBase64("AGFzbQEAAAABBQFgAAF7AwIBAAoIAQYAQQD9Dws=")

/** Returns what this browser lacks, as a sentence, or null. */
function missing() {
  if (typeof WebAssembly !== "object" || !WebAssembly.validate(SIMD))
    return (
      "This browser has no WebAssembly with SIMD, or it is switched off. The games need it: " +
      "try a current Firefox, Chrome or Safari."
    )
  // SDL then gets the same context: another one would cost as much time again.
  const gl = canvas.getContext("webgl", { alpha: false, antialias: false, depth: true, stencil: false })
  if (gl && !gl.isContextLost()) return null
  return (
    "This browser has no WebGL, or has taken it away. The games draw with it: load the page again, or switch on " +
    "“hardware acceleration” in the browser's settings, and start the browser again."
  )
}

/** Returns a sentence for an error that ended the player. */
function sentence(error) {
  if (error instanceof Refusal) return error.message
  const text = String(error?.message ?? error)
  console.warn(error)
  if (/out of memory|OOM|memory access|allocation failed|could not allocate/i.test(text))
    return "The game needs more memory than this browser gives to a page, and has ended."
  if (/failed to fetch|fetching of the wasm|networkerror|imported module|importing a module|: [45]\d\d /i.test(text))
    return "A part of the player could not be loaded. Check the connection, and load the page again."
  return `The player has ended after a failure: ${text.slice(0, 200)}`
}

/** Ends the game with a sentence over it. */
function stop(text) {
  if (over) return
  over = true
  store()
  byId("wait").hidden = true
  byId("trouble").hidden = false
  byId("trouble").firstElementChild.textContent = text
  say("trouble", { text })
}

/** Whatever has failed, the cause is what the browser lacks, if it lacks something. */
const fail = (error) => stop(missing() ?? sentence(error))

function onEnd(code) {
  if (over) return
  say("ended", { code })
  stop(`The game has ended. ${port ? "“Restart” plays it again." : "Load the page again to play once more."}`)
}

const onReport = (report) => say("report", { ...report, text: report.text.replaceAll(`${root}/`, "") })
const note = (kind, text) => say("report", { kind, text, file: null, line: 0 })

/** What belongs to a bug file besides the game comes file by file; the log is the last one. */
const bug = {}
function onFile(name, text) {
  bug[name] = text
  if (name === "log.txt") say("bug", { files: bug })
}

function writeFiles(files) {
  for (const [path, bytes] of files) {
    if (bytes) instance.write(`${root}/${path}`, bytes)
    else instance.remove(`${root}/${path}`)
    readsTab ||= path.endsWith(".lua") && /["']tab["']/.test(new TextDecoder().decode(bytes))
  }
}

async function readGame({ game, zip, name, files, refusal }) {
  if (refusal) throw new Refusal(refusal)
  if (files) return { name: plainName(name), files }
  const read = zip ? readZip(new Uint8Array(zip)) : await fetchGame(`games/${plainName(game)}.zip`)
  return { name: plainName(name ?? game ?? read.name), files: read.files }
}

/** Browsers keep pages silent until the first click or key in them. */
function showSilence(files) {
  const hasSounds = [...files.keys()].some((path) => path.startsWith("sounds/"))
  byId("sound").hidden = !hasSounds || navigator.userActivation?.hasBeenActive
  for (const type of ["pointerdown", "keydown"])
    addEventListener(type, () => (byId("sound").hidden = true), { once: true, capture: true })
}

const act = {
  write: ({ files }) => {
    writeFiles(files)
    instance.reload()
  },
  key: ({ name, down }) => pressKey(name, down),
  eval: ({ text }) => {
    if (instance.evaluate(text) === EVAL_MORE) note("error", "this line is not complete: nothing has run")
  },
  focus: () => canvas.focus(),
}

async function play(opening, message, owner) {
  const { name, files } = await readGame(message)
  await opening
  root = `/games/${name}`
  writeFiles(files)
  store = loadSaved(instance, owner, message.origin, () =>
    note("note", "This browser stores no more for this game: what it saves is lost when the page closes."),
  )
  showSilence(files)
  await instance.play(root, ["--memory", String(MEMORY), ...(port ? [] : ["--release"])], PATIENCE)
  if (port) port.onmessage = ({ data }) => over || act[data.type]?.(data) // earlier messages have waited in the port
  setInterval(() => over || store(), 2000)
  byId("wait").hidden = true
  if (!over) say("frame")
}

/** The button that opens the timeline leaves it, too: a phone has no Enter, which goes on from the chosen frame. */
const held = new Map()
function pressKey(name, down) {
  if (down) held.set(name, name === "f10" && instance.figure("timeline") > 0 ? "return" : name)
  instance.key(held.get(name) ?? name, down)
}

/** Tab leaves the game for the rest of the page, unless the game or an overlay reads it. SDL would keep it. */
function leave(event) {
  if (event.key !== "Tab" || instance.figure("tab") > 0) return
  if (event.shiftKey || !readsTab) event.stopImmediatePropagation()
}

/** A game that sets its size sets that of the canvas; in a page the frame decides. SDL measures it on this event. */
function fit() {
  const { clientWidth, clientHeight, width, height } = canvas
  const differs = (points, pixels) => Math.abs(points * devicePixelRatio - pixels) > 2
  if (differs(clientWidth, width) || differs(clientHeight, height)) dispatchEvent(new UIEvent("resize"))
}

/** A packed game has the page for itself, which names it: demo/app/pack.c writes that. */
async function playPacked(opening, { game, id }) {
  const { files } = await fetchGame(game)
  await play(opening, { files, name: id, origin: id }, "packed")
  canvas.focus()
}

function runFrame() {
  canvas = byId("canvas")
  const opening = missing() ? Promise.reject() : instance.open({ canvas, onReport, onEnd, onFile })
  opening.catch(() => {}) // told when the page sends a game, which it does meanwhile
  addEventListener("message", async ({ source, origin, data, ports }) => {
    if (source !== parent || port || data?.type !== "open" || !ports[0]) return
    port = ports[0]
    await play(opening, data, origin).catch(fail)
  })
  new MutationObserver(fit).observe(canvas, { attributes: true, attributeFilter: ["width", "height"] })
  addEventListener("keydown", leave, { capture: true })
  canvas.addEventListener("pointerdown", () => canvas.focus())
  canvas.addEventListener("webglcontextlost", fail)
  canvas.addEventListener("contextmenu", (event) => event.preventDefault())
  addEventListener("pagehide", () => over || store())
  addEventListener("error", (event) => fail(event.error ?? event.message))
  addEventListener("unhandledrejection", (event) => fail(event.reason))
  if (document.body.dataset.game) playPacked(opening, document.body.dataset).catch(fail)
  else if (parent === window) stop("This page plays games inside other pages: see index.html.")
}

function runWorker() {
  self.onmessage = async ({ data: { name, files } }) => {
    await instance.open()
    postMessage(instance.check(name, files))
  }
}

if (typeof document === "undefined") runWorker()
else runFrame()
