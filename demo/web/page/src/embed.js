// <spawnpool-game src="rain.zip"></spawnpool-game>: a game in a page of one's own. `src` is a .zip, relative to the
// page, or the name of a game beside this file. See docs/web.md.
import { PlayerFrame } from "./player_frame.js"

const HERE = new URL("./", import.meta.url)

class SpawnpoolGame extends HTMLElement {
  static observedAttributes = ["src"]
  #player = null
  #watch = null // while it is connected
  #turn = 0 // of loading: what an earlier one still gets is dropped

  connectedCallback() {
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      ":host { display: block; aspect-ratio: 4 / 3; background: #000; }\n" +
        "iframe { display: block; width: 100%; height: 100%; border: 0; }\n" +
        "p { margin: 0; padding: 1em; color: #dfe6f3; font: 15px/1.5 system-ui, sans-serif; }",
    )
    root.adoptedStyleSheets = [sheet]
    this.#begin()
  }

  disconnectedCallback() {
    this.#end()
  }

  attributeChangedCallback(name, before, now) {
    if (!this.#watch || before === now) return
    this.#end()
    this.#begin()
  }

  // A page may have many games: each begins when it comes into view.
  #begin() {
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      watch.disconnect()
      if (watch === this.#watch) this.#open()
    })
    this.#watch = watch
    watch.observe(this)
  }

  #end() {
    this.#turn += 1
    this.#watch?.disconnect()
    this.#watch = null
    this.#player?.close()
    this.#player = null
  }

  async #open() {
    const src = this.getAttribute("src") ?? "",
      turn = this.#turn
    const tell = (type, detail) => this.dispatchEvent(new CustomEvent(`game-${type}`, { detail }))
    try {
      const message = /^[\w-]+$/.test(src) ? { game: src, origin: src } : await this.#fetch(src)
      if (turn !== this.#turn) return
      this.#player = new PlayerFrame(this.shadowRoot, new URL("player.html", HERE).href)
      const types = ["frame", "report", "ended", "trouble"]
      this.#player.open(message, Object.fromEntries(types.map((type) => [type, (detail) => tell(type, detail)])))
    } catch {
      if (turn !== this.#turn) return
      const line = document.createElement("p"),
        text = `The game “${src}” could not be loaded.`
      line.textContent = text
      this.shadowRoot.replaceChildren(line)
      tell("trouble", { text })
    }
  }

  async #fetch(src) {
    const url = new URL(src, document.baseURI),
      response = await fetch(url)
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    return { zip: await response.arrayBuffer(), name: url.pathname.split("/").at(-1), origin: url.href }
  }

  /** Runs Lua in the game, like its console; prints arrive as events `game-report`. */
  eval(text) {
    this.#player?.eval(text)
  }

  /** Presses or releases a key: "left", "space", "f2". */
  key(name, down) {
    this.#player?.key(name, down)
  }
}

customElements.define("spawnpool-game", SpawnpoolGame)
