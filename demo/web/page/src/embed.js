// <spawnpool-game src="rain.zip"></spawnpool-game>: a game in a page of one's own. `src` is a .zip, relative to the
// page, or the name of a game beside this file. See docs/web.md.
import { PlayerFrame } from "./player_frame.js"

const HERE = new URL("./", import.meta.url)

class SpawnpoolGame extends HTMLElement {
  #player = null
  #watch = null

  connectedCallback() {
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      ":host { display: block; aspect-ratio: 4 / 3; background: #000; }\n" +
        "iframe { display: block; width: 100%; height: 100%; border: 0; }\n" +
        "p { margin: 0; padding: 1em; color: #dfe6f3; font: 15px/1.5 system-ui, sans-serif; }",
    )
    root.adoptedStyleSheets = [sheet]
    // A page may have many games: each begins when it comes into view.
    this.#watch = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      this.#watch.disconnect()
      this.#open()
    })
    this.#watch.observe(this)
  }

  disconnectedCallback() {
    this.#watch?.disconnect()
    this.#player?.close()
    this.#player = null
  }

  async #open() {
    const src = this.getAttribute("src") ?? ""
    const tell = (type, detail) => this.dispatchEvent(new CustomEvent(`game-${type}`, { detail }))
    try {
      const message = /^[\w-]+$/.test(src) ? { game: src } : await this.#fetch(src)
      if (!this.isConnected) return
      this.#player = new PlayerFrame(this.shadowRoot, new URL("player.html", HERE).href)
      const types = ["frame", "report", "ended", "trouble"]
      this.#player.open(message, Object.fromEntries(types.map((type) => [type, (detail) => tell(type, detail)])))
    } catch {
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
    return { zip: await response.arrayBuffer(), name: url.pathname.split("/").at(-1) }
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
