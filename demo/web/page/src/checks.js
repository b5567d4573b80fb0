// Checks of the whole game, as `spawnpool --check` makes them, in a worker: the last request counts, and one that
// takes too long ends with its worker.
const PATIENCE = 20000

export class Checks {
  #worker = null
  #id = 0
  #timer = 0

  /** `onProblems(problems)` receives those of each check that ended. */
  constructor(onProblems) {
    this.onProblems = onProblems
  }

  #start() {
    this.#worker = new Worker("checker.js")
    this.#worker.onmessage = ({ data }) => {
      if (data.id !== this.#id) return
      clearTimeout(this.#timer)
      if (data.problems) this.onProblems(data.problems)
    }
    this.#worker.onerror = () => this.stop()
  }

  stop() {
    clearTimeout(this.#timer)
    this.#worker?.terminate()
    this.#worker = null
  }

  /** Checks these files. */
  request(name, files) {
    if (!this.#worker) this.#start()
    this.#id += 1
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.stop(), PATIENCE)
    this.#worker.postMessage({ id: this.#id, name, files })
  }
}
