// The frame that plays a game, seen from the page around it: makes the iframe, sends it the game, passes messages on.
// The player loads while the page still gets the game.
export class PlayerFrame {
  #channel = new MessageChannel()
  #frame
  #ready

  /** `host`: element that receives the frame, unless the frame is in it already; `url` of player.html. */
  constructor(host, url, frame = null) {
    const origin = new URL(url, location.href).origin
    this.#frame = frame ?? document.createElement("iframe")
    this.#ready = new Promise((done) => {
      const onReady = (event) => {
        if (event.source !== this.#frame.contentWindow || event.data?.type !== "spawnpool-player") return
        removeEventListener("message", onReady)
        done(origin)
      }
      addEventListener("message", onReady)
    })
    if (frame) {
      frame.contentWindow.postMessage({ type: "spawnpool-page" }, origin) // it may have called before anyone listened
      return
    }
    this.#frame.title = "Game"
    this.#frame.allow = "autoplay; fullscreen; gamepad"
    this.#frame.src = url
    host.replaceChildren(this.#frame)
  }

  /** Plays a game, once. `message` and `handlers`, functions by type of message: see player.js. */
  async open(message, handlers) {
    this.#channel.port1.onmessage = ({ data }) => handlers[data.type]?.(data)
    const origin = await this.#ready
    this.#frame.contentWindow?.postMessage({ type: "open", ...message }, origin, [this.#channel.port2])
  }

  #send(message) {
    this.#channel.port1.postMessage(message)
  }

  /** Writes and removes files, and reloads what differs. */
  write(files, removed) {
    this.#send({ type: "write", files, removed })
  }

  key(name, down) {
    this.#send({ type: "key", name, down })
  }

  press(name) {
    this.key(name, true)
    this.key(name, false)
  }

  eval(text) {
    this.#send({ type: "eval", text })
  }

  focus() {
    this.#frame.focus()
    this.#send({ type: "focus" })
  }

  get element() {
    return this.#frame
  }

  close() {
    this.#channel.port1.close()
    this.#frame.remove()
  }
}
