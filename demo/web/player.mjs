// The player for a page: games, files, edits, errors. A page needs nothing else of the WebAssembly.
//
//   import { openPlayer } from "./player.mjs"
//   const player = await openPlayer({ canvas, onReport: ({ kind, text, file, line }) => ... })
//   player.write("/games/rain/main.lua", text)
//   await player.play("/games/rain")
//   const { result, problem } = await player.edit("/games/rain/main.lua", text)
//
// Files live in the memory of the page, under paths like "/games/rain/main.lua". An edit is loaded in the next
// frame, as a saved file is by the player on a desktop: `result` is "reloaded", "refused" (the old code goes on),
// "reverted" (the new code failed, the version before is back) or "nothing".
//
// Reports and problems are { kind, text, file, line, message }: kind "print", "warning", "error" or "reload"; `text` as
// the player prints it; `file` and `line` where the text names them, the file relative to the game's folder.

const KINDS = ["print", "warning", "error", "reload"]
const KEYS = { help: "F1", hud: "F2", inspector: "F3", step: "F7", timeline: "F10", fullScreen: "F11", console: "`" }

// Where the player looks for its fonts.
const FONT_FOLDER = "/usr/share/fonts/truetype/dejavu"
const FONTS = ["DejaVuSans.ttf", "DejaVuSansMono.ttf"]

const inNode = typeof process === "object" && typeof window === "undefined"

// The function that makes an instance of the WebAssembly.
async function loadMaker(base) {
  const url = new URL("spawnpool.js", base)
  if (inNode) return (await import("node:module")).createRequire(import.meta.url)(url.pathname)
  if (typeof importScripts === "function") importScripts(url.href)
  else if (!globalThis.spawnpool)
    await new Promise((done, failed) => {
      const script = document.createElement("script")
      script.src = url.href
      script.onload = done
      script.onerror = () => failed(new Error(`cannot load ${url.href}`))
      document.head.append(script)
    })
  return globalThis.spawnpool
}

async function fetchFile(url) {
  if (url.protocol === "file:") return new Response(await (await import("node:fs/promises")).readFile(url))
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url.pathname}: ${answer.status} ${answer.statusText}`)
  return answer
}

const fetchBytes = async (url) => new Uint8Array(await (await fetchFile(url)).arrayBuffer())

// A browser compiles while it loads, beside spawnpool.js and the fonts, if the server names the type.
async function compile(url) {
  const answer = await fetchFile(url)
  if (answer.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(answer)
  return WebAssembly.compile(await answer.arrayBuffer())
}

// Where a text "file:line: message" points to; `folder` is left out of the file.
export function parseProblem(text, folder = "", kind = "error") {
  const found = /^(?:warning: )?([^\n:]+):(\d+): ([^\n]*)/.exec(text)
  if (!found) return { kind, text, file: null, line: 0, message: text.split("\n")[0] }
  const file = found[1].startsWith(folder + "/") ? found[1].slice(folder.length + 1) : found[1]
  return { kind, text, file, line: Number(found[2]), message: found[3] }
}

export class Player {
  #module
  #base
  #canvas
  #run = 0 // a web_player; 0: none
  #folder = ""
  #arguments = []
  #patience = 0
  #timer
  #printed = []
  #problems = []
  #pause = false

  onReport = () => {}
  onEnd = () => {}

  constructor(base, canvas) {
    this.#base = base
    this.#canvas = canvas
  }

  async open() {
    const program = compile(new URL("spawnpool.wasm", this.#base)),
      made = loadMaker(this.#base).then((maker) => this.#make(maker, program))
    const [module, fonts] = await Promise.all([made, this.#fetchFonts(), program])
    this.#module = module
    module.FS.mkdirTree("/games")
    fonts.forEach((font, i) => this.write(`${FONT_FOLDER}/${FONTS[i]}`, font))
    return this
  }

  // `program`: a promise of the compiled WebAssembly. The maker itself waits for ever for an instance that fails.
  async #make(maker, program) {
    let fail = null
    const failed = new Promise((_, reject) => {
      fail = reject
    })
    const made = maker({
      canvas: this.#canvas,
      instantiateWasm: (imports, done) => {
        program.then((compiled) => WebAssembly.instantiate(compiled, imports).then(done)).catch(fail)
        return {}
      },
      print: () => {},
      printErr: (line) => this.#printed.push(line),
      onReport: (kind, text) => this.onReport(parseProblem(text, this.#folder, KINDS[kind])),
      onProblem: (text) => this.#problems.push(text),
    })
    return Promise.race([made, failed])
  }

  // A check shows no text.
  async #fetchFonts() {
    if (!this.#canvas && !inNode) return []
    return Promise.all(FONTS.map((name) => fetchBytes(new URL(`fonts/${name}`, this.#base))))
  }

  // {== Files =================================================================

  write(path, content) {
    const { FS } = this.#module
    FS.mkdirTree(path.replace(/\/[^/]*$/, "") || "/")
    // A new file has another number: times are whole seconds here, and would not tell two edits of one size apart.
    if (FS.analyzePath(path).exists) FS.unlink(path)
    FS.writeFile(path, content)
  }

  read(path) {
    return this.#module.FS.readFile(path)
  }

  readText(path) {
    return this.#module.FS.readFile(path, { encoding: "utf8" })
  }

  remove(path) {
    this.#module.FS.unlink(path)
  }

  // The paths of all files below a folder, sorted.
  files(folder) {
    const { FS } = this.#module
    const found = []
    const walk = (at) => {
      for (const name of FS.readdir(at)) {
        if (name === "." || name === "..") continue
        const path = `${at}/${name}`
        if (FS.isDir(FS.stat(path).mode)) walk(path)
        else found.push(path)
      }
    }
    walk(folder)
    return found.sort()
  }

  // }==

  // {== The run ===============================================================

  // Plays the game in `folder`, or a .lua file; `args` are options of the command line: ["--seed", "7"]. A call into
  // the game that computes for `patience` seconds is stopped, at its start too; 0: as on the desktop.
  async play(folder, args = [], patience = this.#patience) {
    this.end()
    this.#folder = folder.replace(/\/[^/]*\.lua$/, "")
    this.#arguments = [folder, ...args]
    this.#patience = patience
    await this.#start()
  }

  restart() {
    const [folder, ...args] = this.#arguments
    return this.play(folder, args)
  }

  async #start() {
    const M = this.#module
    this.#printed.length = 0
    this.#run = M.ccall("sp_web_open", "number", ["string", "number"], [this.#arguments.join("\n"), this.#patience])
    if (!this.#run) throw new Error(this.#printed.join("\n") || "the game cannot be opened")
    const run = this.#run
    await new Promise((done) => setTimeout(done)) // the page may draw
    if (this.#run !== run) return
    this.#guard(() => M._sp_web_start(run))
    if (this.#run) this.#schedule()
  }

  // Ends what is played, as closing the window does.
  end() {
    const run = this.#run
    this.#run = 0
    this.#unschedule()
    return run ? this.#module._sp_web_close(run) : 0
  }

  get isRunning() {
    return this.#run !== 0
  }

  // Runs the next frame if it is due; returns whether the run goes on. The browser calls it: only tests need to.
  frame() {
    if (!this.#run) return false
    if (this.#guard(() => this.#module._sp_web_frame(this.#run))) return true
    if (this.#run) this.onEnd(this.end())
    return false
  }

  // What the WebAssembly itself cannot survive ends the run without another call into it.
  #guard(call) {
    try {
      return call()
    } catch (error) {
      this.#run = 0
      this.#unschedule()
      const text = `the player has crashed: ${error}`
      this.onReport({ kind: "error", text, file: null, line: 0, message: String(error) })
      this.onEnd(3)
      return false
    }
  }

  #schedule() {
    const next = () => {
      this.#timer = inNode ? setTimeout(next, 4) : requestAnimationFrame(next)
      this.frame()
    }
    this.#timer = inNode ? setTimeout(next, 0) : requestAnimationFrame(next)
  }

  #unschedule() {
    if (inNode) clearTimeout(this.#timer)
    else cancelAnimationFrame(this.#timer)
  }

  // }==

  // {== Edits =================================================================

  // Writes a file of the game that is played, and loads it.
  edit(path, text) {
    this.write(path, text)
    return this.reload()
  }

  // Loads what was written. The page may be in the background, where no frames are asked for.
  async reload() {
    const M = this.#module
    const counts = () => ["reloads", "refused", "reverted"].map((name) => this.figure(name))
    if (!this.#run) return { result: "nothing", problem: null }
    const before = counts()
    M._sp_web_reload(this.#run)
    while (this.#run && M._sp_web_is_reloading(this.#run)) {
      this.frame()
      if (this.#run && M._sp_web_is_reloading(this.#run)) await new Promise((done) => setTimeout(done, 4))
    }
    if (!this.#run) return { result: "nothing", problem: null }
    const after = counts()
    const which = after.findIndex((count, i) => count > before[i])
    return { result: ["reloaded", "refused", "reverted"][which] ?? "nothing", problem: this.problem }
  }

  // Checks a game as --check does, with some texts in the place of its files: { "main.lua": "..." }. Returns problems.
  check(folder = this.#folder, texts = {}) {
    const { FS } = this.#module
    const copy = "/check/" + folder.replace(/.*\//, "")
    for (const path of this.files(folder)) this.write(copy + path.slice(folder.length), FS.readFile(path))
    for (const [path, text] of Object.entries(texts)) this.write(`${copy}/${path}`, text)
    this.#problems.length = 0
    const count = this.#module.ccall("sp_web_check", "number", ["string"], [copy])
    const problems = this.#problems.map((text) => parseProblem(text, copy))
    for (const path of this.files(copy)) FS.unlink(path)
    return count < 0 ? [parseProblem(`${folder} has no main.lua`)] : problems
  }

  // }==

  // {== What a page may ask, and do ===========================================

  // The last error, until it is fixed; null when there is none.
  get problem() {
    const text = this.#run ? this.#module.ccall("sp_web_error", "string", ["number"], [this.#run]) : ""
    return text ? parseProblem(text, this.#folder) : null
  }

  // Whether an error has stopped the game.
  get isStopped() {
    return this.#run !== 0 && this.#module._sp_web_is_stopped(this.#run) !== 0
  }

  get isPaused() {
    return this.#run !== 0 && this.#module._sp_web_is_paused(this.#run) !== 0
  }

  pause(on = true) {
    if (this.#run) this.#module._sp_web_pause(this.#run, on)
  }

  // Opens and closes "help", "hud", "inspector", "console"; takes one "step"; or presses a key of the player by its
  // name.
  toggle(what) {
    return this.#module.ccall("sp_web_press", "number", ["string"], [KEYS[what] ?? what]) !== 0
  }

  // Runs Lua code as the console does; its values are reported as a print.
  eval(text) {
    const result = this.#module.ccall("sp_web_eval", "number", ["number", "string"], [this.#run, text])
    return ["done", "more", "failed"][result]
  }

  // "frame", "steps", "live", "updateMs", "drawMs", "reloads", "refused", "reverted"; "timeline": 1 while it is shown;
  // "tab": 1 while an overlay has a use for that key.
  figure(name) {
    return this.#run ? this.#module.ccall("sp_web_figure", "number", ["number", "string"], [this.#run, name]) : -1
  }

  // }==
}

// canvas: the element to draw on, whose id becomes "canvas"; null with the argument --headless. base: where
// spawnpool.js lies.
export async function openPlayer({ canvas = null, base = new URL(".", import.meta.url), onReport, onEnd } = {}) {
  const player = new Player(base, canvas)
  if (onReport) player.onReport = onReport
  if (onEnd) player.onEnd = onEnd
  if (canvas) {
    canvas.id = "canvas" // the name by which SDL finds it
    if (canvas.tabIndex < 0) canvas.tabIndex = 0
    canvas.addEventListener("pointerdown", () => canvas.focus())
  }
  return player.open()
}
