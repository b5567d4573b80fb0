// <spawnpool-game src="rain.zip"></spawnpool-game>: a game in a page of one's own. `src` is a .zip, relative to the
// page, or the name of a game beside this file; see docs/player.md. The page with the editor uses the element without
// `src`: it opens games itself, and receives all messages of the player as events.
const PLAYER = new URL("player.html", import.meta.url)
const LOOK = `
  :host { display: block; aspect-ratio: 4 / 3; background: #000; }
  iframe { display: block; width: 100%; height: 100%; border: 0; }`

async function fetchZip(src) {
  const { href, pathname } = new URL(src, document.baseURI),
    response = await fetch(href)
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  return { zip: await response.arrayBuffer(), name: pathname.split("/").at(-1), origin: href }
}

class SpawnpoolGame extends HTMLElement {
  static observedAttributes = ["src"]
  #frame = null // while it is connected
  #loaded = null // a promise of the player in the frame
  #port = null

  constructor() {
    super()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(LOOK)
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [sheet]
  }

  connectedCallback() {
    this.#load()
  }

  disconnectedCallback() {
    this.#port?.close()
    this.#frame = this.#port = null
  }

  attributeChangedCallback(name, before, now) {
    if (this.#frame && before !== now) this.#load()
  }

  /** Loads the player. Of many games on a page, the browser loads those that are in view, or near. */
  #prepare() {
    this.#port?.close()
    this.#port = null
    const frame = document.createElement("iframe"),
      loading = this.hasAttribute("src") ? "lazy" : "eager"
    Object.assign(frame, { title: "Game", allow: "autoplay; fullscreen; gamepad", loading, src: PLAYER.href })
    this.#loaded = new Promise((done) => frame.addEventListener("load", done))
    this.#frame = frame
    this.shadowRoot.replaceChildren(frame)
  }

  async #load() {
    this.#prepare()
    const src = this.getAttribute("src"),
      frame = this.#frame
    if (src === null) return
    await this.#loaded
    const refused = { refusal: `The game “${src}” could not be loaded.` }
    const message = /^[\w-]+$/.test(src) ? { game: src, origin: src } : await fetchZip(src).catch(() => refused)
    if (frame === this.#frame) this.open(message)
  }

  /** Plays a game, in a new frame if there is one in the old: player.js has the message. */
  async open(message) {
    if (this.#port) this.#prepare()
    const { port1, port2 } = new MessageChannel(),
      frame = this.#frame
    port1.onmessage = ({ data: detail }) => this.dispatchEvent(new CustomEvent(`game-${detail.type}`, { detail }))
    this.#port = port1
    await this.#loaded
    frame?.contentWindow?.postMessage({ type: "open", ...message }, PLAYER.origin, [port2])
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
    this.send("focus")
  }
}

customElements.define("spawnpool-game", SpawnpoolGame)
