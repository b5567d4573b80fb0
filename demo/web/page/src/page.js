// The page: a game, its files, an editor and a console. This file connects them.
import { openChosen, openDropped, readZip, Refusal, writeZip } from "./archive.js"
import "./embed.js"
import { readLink, writeLink } from "./link.js"
import { Console, listFiles, make } from "./panels.js"
import { Checks, Problems, Project } from "./project.js"
import { originOf, recall, remember } from "./storage.js"
import { showTouch } from "./touch.js"

const PAUSE = 400 // milliseconds after the last key until an edit goes live
const DRAG_PAUSE = 80 // milliseconds between two edits while a number is dragged
const CHECK_AFTER = 1000 // milliseconds after the first frame
const REST_AFTER = 2500 // milliseconds: the rest of the page loads then, if no frame has come
const byId = (id) => document.getElementById(id)

// The first frame comes before the editor, which is most of the page's code, and before the list of games.
let loadRest = null
const rest = new Promise((done) => (loadRest = done))
const editorModule = rest.then(() => import("./editor.js"))
setTimeout(loadRest, REST_AFTER)

const player = document.querySelector("spawnpool-game")
player.prepare() // it loads beside the rest of the page

let project = null,
  problems = null,
  editor = null,
  wanted = "main.lua", // the file that the editor shows when it comes
  pending = new Set(), // paths of edits that the game does not have yet
  timer = 0,
  toastTimer = 0,
  unseen = 0 // errors and warnings since the console was shown, where it is a tab

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

const output = new Console(byId("log"), byId("prompt"), (text) => player.eval(text), goTo)
const checks = new Checks((found) => problems?.setChecked(found))
const showFiles = () => listFiles(byId("file-list"), { project, problems, open: editor?.path, onOpen: goTo })

function showProblems() {
  showFiles()
  if (!editor?.path) return
  const here = problems.of(editor.path),
    first = here[0] ?? problems.all()[0]
  editor.showProblems(here)
  byId("problem").hidden = !first
  if (!first) return
  byId("problem").textContent = `${first.path}:${first.line}: ${first.message}`
  byId("problem").className = `problem ${first.severity}`
  byId("problem").onclick = () => goTo(first.path, first.line)
}

function openFile(path) {
  if (!project.files.has(path)) return
  wanted = path
  if (!editor) return
  editor.open(path)
  byId("path").textContent = project.isText(path) ? path : `${path}: not UTF-8, so it cannot be edited here`
  byId("revert-file").hidden = !project.isChanged(path)
  showProblems()
}

function goTo(path, line) {
  openFile(path)
  showTab("code")
  if (line && editor?.path === path) editor.goTo(line)
}

/** Sends edits to the game. Those of a moment are one reload. */
function flush() {
  clearTimeout(timer)
  timer = 0
  if (pending.size === 0) return
  const { files } = project
  problems.forget()
  player.send("write", {
    files: new Map([...pending].filter((path) => files.has(path)).map((path) => [path, files.get(path)])),
    removed: [...pending].filter((path) => !files.has(path)),
  })
  pending = new Set()
  if (!editor?.isDragging) checks.request(project)
  rememberEdits()
}

function onChange(path) {
  project.isTouched = true
  pending.add(path)
  if (!editor?.isDragging) clearTimeout(timer)
  if (!editor?.isDragging || !timer) timer = setTimeout(flush, editor?.isDragging ? DRAG_PAUSE : PAUSE)
  if (path === editor?.path) byId("revert-file").hidden = !project.isChanged(path)
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

function onReport(report) {
  const { kind, text, file, line } = report
  const isProblem = kind === "error" || kind === "warning"
  output.add(kind, text, isProblem ? file : null, line)
  if (kind === "reload") {
    problems.forget()
    showState("good", text.split("\n")[0])
  }
  if (!isProblem) return
  problems.add(report)
  if (byId("main").dataset.tab !== "console") unseen += 1
  byId("console-count").textContent = unseen || ""
}

const handlers = {
  report: onReport,
  result: ({ result }) => {
    if (result === "refused") showState("bad", "not reloaded: still running the previous version")
    if (result === "reverted") showState("bad", "the new code failed: the version before is back")
  },
  frame: () => {
    document.body.dataset.frame = Math.round(performance.now())
    loadRest()
    setTimeout(() => checks.request(project), CHECK_AFTER)
  },
  ended: () => showState("", "ended"),
  trouble: ({ text }) => {
    output.add("error", text)
    loadRest()
  },
  note: ({ text }) => output.add("note", text),
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
  wanted = "main.lua"
  problems = new Problems(showProblems)
  project.onChange = onChange
  output.clear()
  document.title = `${project.name} – spawnpool`
  byId("pick-name").textContent = project.base === "first" ? "Examples" : project.name
  byId("main").toggleAttribute("data-first", project.base === "first")
  byId("files-title").textContent = project.name
  byId("problem").hidden = true
  startPlayer()
  showTouch(byId("touch"), project, (name, down) => player.key(name, down))
  showFiles()
  editor?.start(project)
  const { Editor } = await editorModule
  editor ??= new Editor(byId("editor"), (path, text) => project.write(path, text))
  if (!editor.path) editor.start(project)
  openFile(wanted)
}

async function fetchGame(name) {
  const response = await fetch(`games/${name}.zip`)
  if (!response.ok) throw new Refusal(`There is no game “${name}” here.`)
  return readZip(new Uint8Array(await response.arrayBuffer())).files
}

/** Opens what a link names: { name, base, files, removed }. */
async function openLink(link, isDraft = false) {
  const files = link.base ? await fetchGame(link.base) : link.files
  const next = new Project(link.name, link.base, files, isDraft ? link.base : await originOf(link))
  if (link.base) next.apply(link)
  next.isDraft = isDraft
  await play(next)
}

const openOwn = (promise) =>
  attempt(async () => {
    const { name, files } = await promise
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
  const edits = its.edits(),
    isEdited = edits.files.size > 0 || edits.removed.length > 0
  its.isKept = remember(DRAFT + its.base, isEdited ? await writeLink(edits, Infinity) : null)
}

async function openGame(name) {
  history.replaceState(null, "", `#game=${name}`)
  const draft = recall(DRAFT + name)
  const link = draft && (await readLink(draft).catch(() => null))
  await openLink(link || { name, base: name, files: new Map(), removed: [] }, true)
  if (link) toast("Your edits of last time are here. “Undo all edits” is in the Share menu.")
}

async function copyLink() {
  flush()
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
  flush()
  const edits = project.edits(),
    all = new Map(project.files),
    name = `${project.name}-${new Date().toISOString().slice(0, 19).replace(/\D/g, "")}`
  for (const [path, text] of Object.entries(texts)) {
    all.set(path, new TextEncoder().encode(text))
    edits.files.set(path, all.get(path))
  }
  saveZip(name, all)
  const link = await writeLink(edits).catch(() => null)
  if (link) history.replaceState(null, "", link)
  toast(`${name}.zip is saved: ${link ? "the address, too, is a link to it" : "it is too large for a link"}.`)
}

/** Opens what the address names, or the first game. Trouble with a link is told, and the first game opens. */
async function openAddress() {
  const link = await attempt(() => readLink(location.hash))
  const hasEdits = link && (link.files.size > 0 || link.removed.length > 0)
  const open = () => (hasEdits ? openLink(link) : openGame(link.base))
  const opened = link && (await attempt(() => open().then(() => true)))
  if (!opened) await attempt(() => openGame("first"))
}

function showTab(name) {
  if (name === "console") unseen = 0
  byId("console-count").textContent = unseen || ""
  byId("main").dataset.tab = name
  for (const tab of document.querySelectorAll("[role=tab]")) tab.ariaSelected = String(tab.dataset.tab === name)
}

async function listGames() {
  await rest
  const response = await fetch("games/games.json")
  const rows = (response.ok ? await response.json() : []).map(({ name, about }) => {
    const row = make("button", { dataset: { game: name } }, make("img", {}), make("b", {}, name), make("small", {}, about))
    Object.assign(row.firstChild, { loading: "lazy", alt: "", src: `games/${name}.png` })
    row.onclick = () => {
      byId("games").hidePopover()
      attempt(() => openGame(name))
    }
    return row
  })
  byId("game-list").replaceChildren(...rows)
}

/** Light and dark: the system's choice, until a person chooses. */
function listenForTheme() {
  const { dataset } = document.documentElement,
    chosen = recall("spawnpool.theme")
  if (chosen === "light" || chosen === "dark") dataset.theme = chosen
  byId("theme").onclick = () => {
    const isDark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches
    dataset.theme = isDark ? "light" : "dark"
    remember("spawnpool.theme", dataset.theme)
  }
}

/** Files may be dropped anywhere on the page. */
function listenForDrops() {
  const listen = (name, isOver, work) =>
    addEventListener(name, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return
      event.preventDefault()
      byId("drop").hidden = !isOver(event)
      work?.(event)
    })
  listen("dragover", () => true)
  listen("dragleave", ({ relatedTarget }) => relatedTarget !== null)
  listen(
    "drop",
    () => false,
    ({ dataTransfer }) => openOwn(openDropped(dataTransfer)),
  )
}

function listen() {
  const on = (id, work) => {
    byId(id).onclick = () => attempt(work)
  }
  for (const button of document.querySelectorAll("[data-key]"))
    button.onclick = () => {
      player.key(button.dataset.key, true)
      player.key(button.dataset.key, false)
      player.focus()
    }
  for (const tab of document.querySelectorAll("[role=tab]")) tab.onclick = () => showTab(tab.dataset.tab)
  for (const menu of document.querySelectorAll(".menu")) menu.addEventListener("click", () => menu.hidePopover())
  for (const [type, handler] of Object.entries(handlers))
    player.addEventListener(`game-${type}`, ({ detail }) => handler(detail))
  on("restart", startPlayer)
  on("full", () => player.requestFullscreen())
  on("copy-link", copyLink)
  on("save-zip", () => (flush(), saveZip(project.name, project.files)))
  on("new", () => openLink({ name: "game", base: "new", files: new Map(), removed: [] }))
  on("revert", () => revert(project.changed()))
  on("revert-file", () => revert([editor.path]))
  on("open-file", () => byId("file-input").click())
  on("open-folder", () => byId("folder-input").click())
  for (const id of ["file-input", "folder-input"])
    byId(id).onchange = ({ target }) => {
      if (target.files.length > 0) openOwn(openChosen([...target.files]))
      target.value = ""
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
listenForTheme()
openAddress()
attempt(listGames)
