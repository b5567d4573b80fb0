// Where games run. In the frame: one canvas, one game, one instance; a new game is a new frame, so nothing of an
// earlier one remains. The frame is sandboxed and reaches no address: the page around it hands in everything, and
// exchanges messages with it over a port (embed.js):
//
//   first { parts, saved, and name and files, or refusal: why there is none }; parts: bytes of this file, of the
//         program and of its fonts, or a sentence
//   in    ping; write { files: Map of path to bytes, or to undefined if it is removed }; key { name, down };
//         eval { text }; volume { value }; full { on }; picture; refused: what was saved is not kept
//   out   ready: pings are answered from now on; pong; frame { width, height, blocked: [begin, end] }: the first one;
//         took: the first frame after a write; reports { list of { kind, text, file, line, message }, count of more };
//         slow { on }; ended; again: Enter, after the end; full: F11; trouble { text }; bug { files: { name: text } };
//         picture { png }; save { saved }
//
// A packed game has no page around it: see playPacked.
//
// In a worker: checks a game while it is played. In: { name, files }. Out: its problems.
import { fetchGame, plainName, Refusal } from "./archive.js"
import * as instance from "./instance.js"
import { fromBase64 } from "./link.js"
import look from "../player.css"
import { loadSaved, savedOf, storeSaved } from "./storage.js"

const MEMORY = 256 // MiB for a game: as many addresses as the timeline copies
const PATIENCE = 1.5 // seconds that a call into the game may take: the page stands still meanwhile
const EVAL_MORE = 1 // SP_EVAL_MORE: the text is not complete
const STORE_EVERY = 200 // milliseconds
const SILENT_AFTER = 300 // milliseconds that a context of sound has to run

const byId = (id) => document.getElementById(id)
let canvas = null,
  port = null,
  waiting = [], // messages before the first frame; null: it was shown
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
  if (!port) return stop("The game has ended. Load the page again to play once more.")
  over = true
  store()
  say("ended", { code })
}

const onReports = (list, count) =>
  say("reports", { list: list.map((report) => ({ ...report, text: report.text.replaceAll(`${root}/`, "") })), count })
const note = (kind, text) => onReports([{ kind, text, file: null, line: 0 }], 0)

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

let output = null, // an AudioContext
  gain = null, // of all sounds
  volume = 1,
  hasSounds = false, // in the game
  isRefused = false // what the game saves

/** SDL plays to the destination of a context: it gets one that has the volume of the page. */
const adjustable = (Base) =>
  class extends Base {
    constructor(...settings) {
      super(...settings)
      output = this
      this.onstatechange = showSilence
      setTimeout(showSilence, SILENT_AFTER)
      gain = this.createGain()
      gain.gain.value = volume
      gain.connect(super.destination)
    }
    get destination() {
      return gain ?? super.destination
    }
  }

/** Browsers keep pages silent until the first click or key in them. */
function showSilence() {
  byId("sound").hidden = !hasSounds || output?.state !== "suspended"
}

function setVolume(value) {
  volume = value
  if (gain) gain.gain.value = value
}

/** What is drawn is there until the browser has shown it. */
const picture = () =>
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      instance.frame()
      canvas.toBlob(async (blob) => say("picture", { png: new Uint8Array(await blob.arrayBuffer()) }))
    }),
  )

const act = {
  write: async ({ files }) => {
    writeFiles(files)
    await instance.reload()
    say("took")
  },
  key: ({ name, down }) => pressKey(name, down),
  eval: ({ text }) => {
    if (instance.evaluate(text) === EVAL_MORE) note("error", "this line is not complete: nothing has run")
  },
  volume: ({ value }) => setVolume(value),
  full: ({ on }) => instance.coverScreen(on),
  refused: () => {
    if (!isRefused) note("note", "This browser stores no more for this game: its saves are lost when the page closes.")
    isRefused = true
  },
  picture,
}

function hear({ data }) {
  if (data.type === "ping") say("pong")
  else if (waiting) waiting.push(data)
  else if (!over) act[data.type]?.(data)
}

/** Plays files; `keep` stores what the game saves, of which `saved` is the last. Returns after the first frame. */
async function play({ name, files, saved }, keep, args) {
  root = `/games/${plainName(name)}`
  writeFiles(files)
  store = loadSaved(instance, saved, keep)
  hasSounds = [...files.keys()].some((path) => path.startsWith("sounds/"))
  await instance.play(root, ["--memory", String(MEMORY), ...args], PATIENCE, port !== null)
  setInterval(() => over || store(), STORE_EVERY)
  byId("wait").hidden = true
}

/** Tells the page each change of a figure. */
function watchPace() {
  let was = false,
    times = 0 // one long frame is no slow motion
  setInterval(() => {
    times = instance.figure("slow") > 0 ? times + 1 : 0
    const on = times > 4
    if (on !== was) say("slow", { on })
    was = on
  }, 300)
}

async function playFramed(message) {
  const { parts, refusal, mute } = message
  port.onmessage = hear
  if (refusal) throw new Refusal(refusal)
  const lacks = missing()
  if (lacks) throw new Refusal(lacks)
  if (mute !== undefined) setVolume(mute)
  const [, program, wasm, ...fonts] = parts
  await instance.open({ canvas, parts: { program, wasm, fonts }, onReports, onEnd, onFile })
  say("ready")
  const begin = performance.timeOrigin + performance.now()
  await play(message, (saved) => say("save", { saved }), [])
  const shape = { width: instance.figure("width"), height: instance.figure("height") }
  if (over) return
  say("frame", { ...shape, blocked: [begin, performance.timeOrigin + performance.now()] })
  const messages = waiting
  waiting = null
  for (const data of messages) hear({ data })
  watchPace()
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
async function playPacked({ game, id }) {
  const opening = missing() ? Promise.reject(new Refusal(missing())) : instance.open({ canvas, onReports, onEnd })
  const [{ files }] = await Promise.all([fetchGame(game), opening])
  await play({ files, name: id, saved: savedOf(id) }, (text) => storeSaved(id, text), ["--release"])
  addEventListener("pagehide", () => over || store())
  canvas.focus()
}

/** While such a listener is there, a new frame joins the process of this one, also when that hangs. SDL adds them. */
function dropListeners() {
  for (const target of [window, document]) {
    const add = target.addEventListener
    target.addEventListener = (type, ...rest) =>
      /^(pagehide|beforeunload|unload|visibilitychange)$/.test(type) || add.call(target, type, ...rest)
  }
}

/** Keys of the page around the game. */
function listenForPage(event) {
  const isFull = event.key === "F11" || (event.key === "Enter" && event.altKey)
  if (isFull || (over && event.key === "Enter")) {
    if (!event.repeat) say(isFull ? "full" : "again")
  } else if (event.key === "F8") picture()
  else return
  event.preventDefault()
  event.stopImmediatePropagation()
}

function runFrame() {
  canvas = byId("canvas")
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(look)
  document.adoptedStyleSheets = [sheet]
  byId("wait").hidden = false
  if (globalThis.AudioContext) globalThis.AudioContext = adjustable(globalThis.AudioContext)
  new MutationObserver(fit).observe(canvas, { attributes: true, attributeFilter: ["width", "height"] })
  canvas.addEventListener("pointerdown", () => canvas.focus())
  canvas.addEventListener("webglcontextlost", fail)
  canvas.addEventListener("contextmenu", (event) => event.preventDefault())
  addEventListener("error", (event) => fail(event.error ?? event.message))
  addEventListener("unhandledrejection", (event) => fail(event.reason))
  if (document.body.dataset.game) return playPacked(document.body.dataset).catch(fail)
  const { data, ports } = globalThis.opened // by the loader in player.html
  port = ports[0]
  dropListeners()
  // The page gives the frame the focus; a person may have taken it away again.
  addEventListener("focus", () => document.hasFocus() && canvas.focus())
  if (document.hasFocus()) canvas.focus()
  addEventListener("keydown", listenForPage, { capture: true })
  addEventListener("keydown", leave, { capture: true })
  playFramed(data).catch(fail)
}

function runWorker() {
  self.onmessage = async ({ data: { name, files } }) => {
    await instance.open()
    postMessage(instance.check(name, files))
  }
}

if (typeof document === "undefined") runWorker()
else runFrame()
