// The page: a game, its files, an editor and a console. This file connects them.
import { fetchGame, openFiles, Refusal, writeZip } from "./archive.js"
import "./embed.js"
import { readLink, writeLink } from "./link.js"
import { addLine, listenForLines, listFiles, make, placed } from "./panels.js"
import { Project } from "./project.js"
import { originOf, recall, remember } from "./storage.js"
import { showTouch } from "./touch.js"

const PAUSE = 400 // milliseconds after the last key until an edit goes live
const DRAG_PAUSE = 80 // milliseconds between two edits while a number is dragged
const PROBLEMS_MOST = 50 // of the running game
const CHECK_AFTER = 1000 // milliseconds after the first frame
const REST_AFTER = 2500 // milliseconds: the rest of the page loads then, if no frame has come
const byId = (id) => document.getElementById(id)

const player = document.querySelector("spawnpool-game")

// The first frame comes before the editor, which is most of the page's code.
const rest = new Promise((done) => {
  for (const type of ["game-frame", "game-trouble"]) player.addEventListener(type, done)
  setTimeout(done, REST_AFTER)
})
const editorReady = rest.then(async () => {
  const { Editor } = await import("./editor.js")
  return new Editor(byId("editor"), (path, text) => project.write(path, text))
})

let project = null,
  running = [], // errors and warnings of the game, since the last edit or reload
  checked = [], // problems of the last check
  checker = null, // the worker that makes it
  editor = null,
  pending = new Set(), // paths of edits that the game does not have yet
  timer = 0,
  checkTimer = 0,
  toastTimer = 0

function toast(text, bad = false) {
  const box = byId("toast")
  box.textContent = text
  box.classList.toggle("bad", bad)
  box.hidden = false
  clearTimeout(toastTimer)
  toastTimer = setTimeout(() => (box.hidden = true), bad ? 9000 : 4000)
}

const showState = (kind, text) => Object.assign(byId("state"), { className: `state ${kind}`, textContent: text })

/** Runs something that may be refused: its reason is shown. Returns null then. */
async function attempt(work) {
  try {
    return await work()
  } catch (error) {
    toast(error instanceof Refusal ? error.message : `That did not work: ${error?.message ?? error}`, true)
    if (!(error instanceof Refusal)) console.warn(error)
    return null
  }
}

const problems = () => placed([...running, ...checked])
const showFiles = () =>
  listFiles(byId("file-list"), { project, problems: problems(), open: editor.path, onOpen: goTo })

function showProblems() {
  const all = problems()
  byId("console-count").textContent = all.length || ""
  if (!editor?.path) return
  showFiles()
  const here = all.filter(({ file }) => file === editor.path),
    first = here[0] ?? all[0]
  editor.showProblems(here)
  byId("problem").hidden = !first
  if (!first) return
  byId("problem").textContent = `${first.file}:${first.line}: ${first.message}`
  byId("problem").className = `problem ${first.kind}`
  byId("problem").onclick = () => goTo(first.file, first.line)
}

function openFile(path) {
  if (!project.files.has(path)) return
  editor.open(path)
  byId("path").textContent = project.isText(path) ? path : `${path}: not UTF-8, so it cannot be edited here`
  byId("revert-file").hidden = !project.isChanged(path)
  showProblems()
}

function goTo(path, line) {
  openFile(path)
  byId("tab-code").checked = true
  if (line && editor.path === path) editor.goTo(line)
}

/** The problems of the code before an edit or a reload are over. */
function forgetProblems() {
  running = []
  showProblems()
}

function stopCheck() {
  clearTimeout(checkTimer)
  checker?.terminate()
}

/** Checks the whole game as `spawnpool --check` does, after a pause, in a worker: the game goes on meanwhile. The last
    request counts. */
function requestCheck() {
  stopCheck()
  checkTimer = setTimeout(() => {
    checker = new Worker("player.js", { type: "module" })
    checker.postMessage({ name: project.name, files: project.files })
    checker.onmessage = ({ data }) => {
      stopCheck()
      checked = data
      showProblems()
    }
  }, CHECK_AFTER)
}

/** Sends edits to the game. Those of a moment are one reload. */
function flush() {
  clearTimeout(timer)
  timer = 0
  if (pending.size === 0) return
  forgetProblems()
  player.send("write", { files: new Map(Array.from(pending, (path) => [path, project.files.get(path)])) })
  pending.clear()
  requestCheck()
  rememberEdits()
}

function onChange(path) {
  project.isTouched = true
  pending.add(path)
  if (!editor.isDragging) clearTimeout(timer)
  if (!editor.isDragging || !timer) timer = setTimeout(flush, editor.isDragging ? DRAG_PAUSE : PAUSE)
  if (path === editor.path) byId("revert-file").hidden = !project.isChanged(path)
  showFiles()
}

function revert(paths) {
  for (const path of paths) {
    project.revert(path)
    editor?.reread(path)
  }
  if (editor && !editor.path) openFile("main.lua")
  flush()
  showProblems()
}

/** What the player says of code that it has not taken. */
const REFUSED = /^(warning: )?(not reloaded: |\S.* reverted to the version before )/

function onReport(report) {
  const { kind, text, file, line } = report
  const isProblem = kind === "error" || kind === "warning"
  addLine(byId("log"), kind, text, isProblem && file ? () => goTo(file, line) : null)
  if (kind === "reload") showState("good", text.split("\n")[0])
  if (REFUSED.test(text)) showState("bad", text)
  if (kind === "reload") forgetProblems()
  if (!isProblem) return
  running = [...running, report].slice(-PROBLEMS_MOST)
  showProblems()
}

const handlers = {
  report: onReport,
  frame: () => {
    document.body.dataset.frame = Math.round(performance.now())
    requestCheck()
  },
  ended: () => showState("", "ended"),
  trouble: ({ text }) => addLine(byId("log"), "error", text),
  bug: ({ files }) => attempt(() => saveBug(files)),
}

function startPlayer() {
  showState("", "")
  player.open({ name: project.name, origin: project.origin, files: project.files })
}

/** Plays a project, and shows its files. */
async function play(next) {
  if (project) flush()
  project = next
  running = checked = []
  stopCheck()
  project.onChange = onChange
  byId("log").replaceChildren()
  document.title = `${project.name} – spawnpool`
  byId("pick-name").textContent = project.base === "first" ? "Examples" : project.name
  byId("main").toggleAttribute("data-first", project.base === "first")
  byId("files-title").textContent = project.name
  byId("problem").hidden = true
  startPlayer()
  showTouch(byId("touch"), project, (name, down) => player.key(name, down))
  editor = await editorReady
  if (project !== next) return
  editor.start(project)
  openFile("main.lua")
}

/** Opens what a link names: { name, base, files, removed }. */
async function openLink(link, isDraft = false) {
  const { name, base } = link,
    { files } = base ? await fetchGame(`games/${base}.zip`) : link
  const next = new Project(name, base, files, isDraft ? base : await originOf(link))
  if (base) next.apply(link)
  next.isDraft = isDraft
  await play(next)
}

/** Opens files of a person's own, which come with an event. */
const openOwn = (event) =>
  attempt(async () => {
    const { name, files } = await openFiles(event)
    history.replaceState(null, "", location.pathname)
    await play(new Project(name, null, files, await originOf({ files })))
    toast(`${name} is open. Its files stay in this browser.`)
  })

const DRAFT = "spawnpool.edits:"

/** Keeps the edits of a game of the site in the browser, until they are undone; those of links are not mixed in. Where
    the browser refuses, the page asks before it closes. */
async function rememberEdits() {
  const its = project // another game may be open once the link is made
  if (!its.isDraft) return
  its.isKept = false
  const link = its.changed().length > 0 ? await writeLink(its.edits(), Infinity) : null
  its.isKept = remember(DRAFT + its.base, link)
}

async function openGame(name) {
  history.replaceState(null, "", `#game=${name}`)
  const draft = recall(DRAFT + name)
  const link = draft && (await readLink(draft).catch(() => null))
  await openLink(link || { name, base: name, files: new Map(), removed: [] }, true)
  if (link) toast("Your edits of last time are here. “Undo all edits” is in the Share menu.")
}

async function copyLink() {
  history.replaceState(null, "", await writeLink(project.edits()))
  try {
    await navigator.clipboard.writeText(location.href)
    toast(`The link is copied: ${location.href.length.toLocaleString("en")} characters.`)
  } catch {
    toast("The link is in the address bar: the browser does not let this page copy it.")
  }
}

function saveZip(name, files) {
  const zip = new Blob([writeZip(name, files)], { type: "application/zip" })
  const link = make("a", { href: URL.createObjectURL(zip), download: `${name}.zip` })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10000)
}

/** Saves the game and the run of it that goes on, `texts` by name, as a .zip, and as a link where that is possible. */
async function saveBug(texts) {
  const name = `${project.name}-${new Date().toISOString().slice(0, 19).replace(/\D/g, "")}`
  const bug = new Project(project.name, project.base, project.published)
  bug.files = new Map(project.files)
  for (const [path, text] of Object.entries(texts)) bug.write(path, text)
  saveZip(name, bug.files)
  const link = await writeLink(bug.edits()).catch(() => null)
  if (link) history.replaceState(null, "", link)
  toast(`${name}.zip is saved: ${link ? "the address, too, is a link to it" : "it is too large for a link"}.`)
}

/** Opens what the address names, or the first game. Trouble with a link is told, and the first game opens. */
async function openAddress() {
  const opened = await attempt(async () => {
    const link = await readLink(location.hash)
    if (link) await (link.files.size + link.removed.length > 0 ? openLink(link) : openGame(link.base))
    return link
  })
  if (!opened) await attempt(() => openGame("first"))
}

/** Files may be dropped anywhere on the page. */
function listenForDrops() {
  for (const name of ["dragover", "dragleave", "drop"])
    addEventListener(name, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return
      event.preventDefault()
      byId("drop").hidden = name === "drop" || (name === "dragleave" && !event.relatedTarget)
      if (name === "drop") openOwn(event)
    })
}

function listen() {
  const on = (id, work) => (byId(id).onclick = () => attempt(work))
  listenForLines(byId("prompt"), (text) => {
    addLine(byId("log"), "input", text)
    player.eval(text)
  })
  for (const button of document.querySelectorAll("[data-key]"))
    button.onclick = () => {
      player.key(button.dataset.key, true)
      player.key(button.dataset.key, false)
      player.focus()
    }
  for (const menu of document.querySelectorAll(".menu")) menu.addEventListener("click", () => menu.hidePopover())
  for (const [type, handler] of Object.entries(handlers))
    player.addEventListener(`game-${type}`, ({ detail }) => handler(detail))
  on("restart", startPlayer)
  on("full", () => player.requestFullscreen())
  on("copy-link", copyLink)
  on("save-zip", () => saveZip(project.name, project.files))
  on("new", () => {
    history.replaceState(null, "", location.pathname)
    return openLink({ name: "game", base: "new", files: new Map(), removed: [] })
  })
  on("revert", () => revert(project.changed()))
  on("revert-file", () => revert([editor.path]))
  for (const kind of ["file", "folder"]) {
    on(`open-${kind}`, () => byId(`${kind}-input`).click())
    byId(`${kind}-input`).onchange = (event) => {
      openOwn(event)
      event.target.value = "" // so that the same file can be chosen again
    }
  }
  addEventListener("keydown", (event) => {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault() // there is no file to save: the edit goes live at once
    flush()
  })
  addEventListener("beforeunload", (event) => {
    if (project?.isTouched && !project.isKept) event.preventDefault() // its edits would be lost
  })
  addEventListener("hashchange", openAddress)
}

listen()
listenForDrops()
openAddress()
