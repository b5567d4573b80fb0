// <spawnpool-game src="rain.zip"></spawnpool-game>: a game in a page of one's own. `src` is a .zip, relative to the
// page, or the name of a game beside this file; see docs/player.md. The page with the editor uses the element without
// `src`: it opens games itself, and receives all messages of the player as events.
const PLAYER = new URL("player.html", import.meta.url)
const LOOK = `
  :host { display: block; aspect-ratio: 4 / 3; background: #000; }
  iframe { display: block; width: 100%; height: 100%; border: 0; }
  p { margin: 0; padding: 1em; color: #dfe6f3; font: 15px/1.5 system-ui, sans-serif; }`

class SpawnpoolGame extends HTMLElement {
  static observedAttributes = ["src"]
  #frame = null
  #loaded = null // a promise of the player in the frame
  #port = null
  #watch = null // while it is connected

  constructor() {
    super()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(LOOK)
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [sheet]
  }

  /** A page may have many games: each is loaded when it comes into view. */
  connectedCallback() {
    this.#watch = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      this.#watch.disconnect()
      this.#load()
    })
    this.#watch.observe(this)
  }

  disconnectedCallback() {
    this.#watch?.disconnect()
    this.#watch = null
    this.#close()
  }

  attributeChangedCallback(name, before, now) {
    if (!this.#watch || before === now) return
    this.disconnectedCallback()
    this.connectedCallback()
  }

  #close() {
    this.#port?.close()
    this.#port = null
    this.#frame?.remove()
    this.#frame = null
  }

  /** Loads the player, which takes longer than the game that it will play. */
  prepare() {
    this.#frame = document.createElement("iframe")
    this.#loaded = new Promise((done) => this.#frame.addEventListener("load", done))
    Object.assign(this.#frame, { title: "Game", allow: "autoplay; fullscreen; gamepad", src: PLAYER.href })
    this.shadowRoot.replaceChildren(this.#frame)
  }

  async #load() {
    const src = this.getAttribute("src"),
      watch = this.#watch
    if (src === null) return
    try {
      const message = /^[\w-]+$/.test(src) ? { game: src, origin: src } : await this.#fetch(src)
      if (watch === this.#watch) this.open(message)
    } catch {
      if (watch !== this.#watch) return
      const text = `The game “${src}” could not be loaded.`
      const line = document.createElement("p")
      line.textContent = text
      this.shadowRoot.replaceChildren(line)
      this.#tell({ type: "trouble", text })
    }
  }

  async #fetch(src) {
    const url = new URL(src, document.baseURI),
      response = await fetch(url)
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    return { zip: await response.arrayBuffer(), name: url.pathname.split("/").at(-1), origin: url.href }
  }

  #tell(detail) {
    this.dispatchEvent(new CustomEvent(`game-${detail.type}`, { detail }))
  }

  /** Plays a game, in a new frame if there is one in the old: player.js has the message. */
  async open(message) {
    if (this.#port) this.#close()
    if (!this.#frame) this.prepare()
    const { port1, port2 } = new MessageChannel(),
      frame = this.#frame
    port1.onmessage = ({ data }) => this.#tell(data)
    this.#port = port1
    await this.#loaded
    frame.contentWindow?.postMessage({ type: "open", ...message }, PLAYER.origin, [port2])
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
