// <spawnpool-game src="rain.zip"></spawnpool-game>: a game in a page of one's own. `src` is a .zip, relative to the
// page, or the name of a game beside this file; see docs/player.md. The page with the editor uses the element without
// `src`: it opens games itself, and receives all messages of the player as events.
//
// The game runs in a frame of an opaque origin: it reaches no storage and no file of the site, and in Chrome it has a
// process of its own. So this file fetches the parts of the player, once for all games of a page, hands them over, and
// keeps what games store. While the frame answers pings the game is alive.
import { fetchGame, plainName, readZip } from "./archive.js"
import { isRefused, savedOf, storeSaved } from "./storage.js"

const at = (name) => new URL(name, import.meta.url).href
const FONTS = ["DejaVuSans.ttf", "DejaVuSansMono.ttf"]
const LOOK = `
  :host { display: block; aspect-ratio: 4 / 3; background: #000; }
  iframe { display: block; width: 100%; height: 100%; border: 0; }
  p { margin: 0; padding: 24px; color: #dfe6f3; font: 15px/1.5 system-ui, sans-serif; text-align: center; }`
const PING_EVERY = 250 // milliseconds
const SILENT_AFTER = 8 // turns of this page without an answer: 2 s; in the background, or on a busy machine, more
const HUNG_AFTER = 32
const REST = 1000 // after a hung frame was removed: earlier, the next one would join its process
const SHELL_AFTER = 1500 // after a frame is loaded that runs nothing: there is no network

async function part(name) {
  const answer = await fetch(at(name))
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`)
  return new Uint8Array(await answer.arrayBuffer())
}

/** Returns a promise of the parts of the player; what could not be fetched is tried again for the next game. */
let parts = null
function fetchParts() {
  if (parts) return parts
  const names = ["player.js", "spawnpool.js", "spawnpool.wasm", ...FONTS.map((name) => `fonts/${name}`)]
  parts = Promise.all(names.map((name) => part(name)))
  parts.catch(() => (parts = null))
  return parts
}

let restedAt = 0 // when the process of a hung frame has ended

class SpawnpoolGame extends HTMLElement {
  static observedAttributes = ["src"]
  #frame = null // while it is connected
  #loaded = null // a promise of the loader in the frame
  #port = null
  #timer = 0
  #silent = 0 // turns since the first ping that was not answered

  constructor() {
    super()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(LOOK)
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [sheet]
  }

  connectedCallback() {
    fetchParts()
    this.#prepare()
    this.#load()
  }

  disconnectedCallback() {
    this.stop()
  }

  attributeChangedCallback(name, before, now) {
    if (this.#frame && before !== now) this.#load()
  }

  /** Loads the frame. Of many games on a page, the browser loads those that are in view, or near. */
  #prepare() {
    this.stop()
    const frame = document.createElement("iframe"),
      loading = this.hasAttribute("src") ? "lazy" : "eager"
    frame.sandbox = "allow-scripts"
    Object.assign(frame, { title: "Game", allow: "autoplay *; gamepad *", loading, src: at("player.html") })
    let text = null,
      isLoaded = false
    this.#loaded = new Promise((done) => {
      const hear = ({ source, data }) => {
        const { protocol } = new URL(text ? "about:srcdoc" : frame.src)
        if (source !== frame.contentWindow || data !== `spawnpool ${protocol}`) return
        removeEventListener("message", hear)
        isLoaded = true
        done()
      }
      addEventListener("message", hear)
    })
    // A service worker does not reach such a frame: without a network it gets the text of the page.
    const useText = async () => {
      const found = new TextDecoder().decode(await part("player.html"))
      if (!isLoaded) frame.srcdoc = text = found
    }
    frame.addEventListener("load", () => setTimeout(() => isLoaded || useText(), SHELL_AFTER), { once: true })
    this.#frame = frame
    this.shadowRoot.replaceChildren(frame)
  }

  async #load() {
    const src = this.getAttribute("src"),
      name = src?.split("/").at(-1)
    if (src === null) return
    const refused = (error) => ({ refusal: `The game “${src}” could not be loaded. ${error?.message ?? ""}`.trim() })
    const fetched = /^[\w-]+$/.test(src)
      ? fetchGame(at(`games/${plainName(src)}.zip`)).then(({ files }) => ({ files, name: src, origin: src }))
      : this.#fetchZip(new URL(src, document.baseURI).href, name)
    const message = await fetched.catch(refused)
    if (this.#frame && src === this.getAttribute("src")) this.open(message)
  }

  async #fetchZip(href, zipName) {
    const answer = await fetch(href)
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
    const { name, files } = readZip(new Uint8Array(await answer.arrayBuffer()))
    return { files, name: plainName(name || zipName), origin: href }
  }

  /** Plays a game, in a new frame if there is one in the old: player.js has the message. */
  async open(message) {
    if (this.#port || !this.#frame) this.#prepare()
    const { port1, port2 } = new MessageChannel(),
      frame = this.#frame,
      key = message.origin
    port1.onmessage = ({ data }) => this.#hear(data, key)
    this.#port = port1
    const [given] = await Promise.all([fetchParts().catch((error) => String(error)), this.#loaded])
    const wait = restedAt - performance.now()
    if (wait > 0) await new Promise((done) => setTimeout(done, wait))
    if (frame !== this.#frame) return
    const saved = savedOf(key)
    frame.contentWindow?.postMessage({ ...message, parts: given, saved }, "*", [port2])
  }

  /** Ends the game, if there is one, and takes its frame away. */
  stop() {
    clearInterval(this.#timer)
    this.#port?.close()
    if (this.#silent > SILENT_AFTER) restedAt = performance.now() + REST
    this.#frame = this.#port = null
    this.#silent = 0
    this.shadowRoot.replaceChildren()
  }

  #hear(detail, key) {
    const { type } = detail
    if (type === "pong") return this.#answered()
    if (type === "reports") {
      for (const report of detail.list) this.#tell("report", { ...report })
      if (detail.count > 0) this.#tell("dropped", { count: detail.count })
      return
    }
    if (type === "ready") this.#watch()
    else if (type === "save" ? !storeSaved(key, detail.saved) : type === "frame" && isRefused()) this.send("refused")
    this.#tell(type, detail)
  }

  #tell(type, detail = {}) {
    this.dispatchEvent(new CustomEvent(`game-${type}`, { detail: { type, ...detail } }))
  }

  /** Pings the frame from now on: before, it compiles the player, which takes a slow machine seconds. */
  #watch() {
    clearInterval(this.#timer)
    this.#timer = setInterval(() => {
      if (this.#silent === 0) this.send("ping")
      this.#silent += 1
      if (this.#silent > HUNG_AFTER) this.#hang()
      else if (this.#silent === SILENT_AFTER + 1) this.#tell("silent")
    }, PING_EVERY)
  }

  #answered() {
    if (this.#silent > SILENT_AFTER) this.#tell("answers")
    this.#silent = 0
  }

  #hang() {
    this.stop()
    if (this.hasAttribute("src")) {
      const text = document.createElement("p")
      text.textContent = "The game did not answer for 8 s, and was ended."
      this.shadowRoot.replaceChildren(text)
      this.#tell("trouble", { text: text.textContent })
    }
    this.#tell("hung")
  }

  send(type, values) {
    this.#port?.postMessage({ type, ...values })
  }

  /** Runs Lua in the game, like its console; prints arrive as events `game-report`. */
  eval(text) {
    this.send("eval", { text })
  }

  /** Presses or releases a key: "left", "space", "f2". */
  key(name, down) {
    this.send("key", { name, down })
  }

  focus() {
    this.#frame?.focus()
  }
}

customElements.define("spawnpool-game", SpawnpoolGame)
