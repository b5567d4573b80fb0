// The frame that plays a game, seen from the page around it: makes the iframe, sends it the game, passes messages on.
export class PlayerFrame {
  #port
  #frame

  /** `host`: element that receives the frame; `url` of player.html; `message`: of type open, see player.js;
      `handlers`: functions by type of message. */
  constructor(host, url, message, handlers) {
    this.#frame = document.createElement("iframe")
    this.#frame.title = "Game"
    this.#frame.allow = "autoplay; fullscreen; gamepad"
    const channel = new MessageChannel()
    this.#port = channel.port1
    this.#port.onmessage = ({ data }) => handlers[data.type]?.(data)
    const onReady = (event) => {
      if (event.source !== this.#frame.contentWindow || event.data?.type !== "spawnpool-player") return
      removeEventListener("message", onReady)
      this.#frame.contentWindow.postMessage({ type: "open", ...message }, new URL(url, location.href).origin, [
        channel.port2,
      ])
    }
    addEventListener("message", onReady)
    this.#frame.src = url
    host.replaceChildren(this.#frame)
  }

  #send(message) {
    this.#port.postMessage(message)
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
    this.#port.close()
    this.#frame.remove()
  }
}
