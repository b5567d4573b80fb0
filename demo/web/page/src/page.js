// The page: a game, its files, an editor and a console. This file connects them; each is a file of its own.
import { readZip, writeZip } from "./archive.js"
import { Checks } from "./checks.js"
import { ConsolePanel } from "./console_panel.js"
import { listenForDrops, openChosen } from "./drop.js"
import { FileList } from "./file_list.js"
import { readLink, writeLink } from "./link.js"
import { PlayerFrame } from "./player_frame.js"
import { Problems } from "./problems.js"
import { Project } from "./project.js"
import { Refusal } from "./refusal.js"
import { originOf } from "./saved.js"
import { startTheme } from "./theme.js"
import { showTouch } from "./touch.js"

const PAUSE = 400 // milliseconds after the last key until an edit goes live
const CHECK_AFTER = 1000 // milliseconds after the first frame, which comes first
const byId = (id) => document.getElementById(id)
const REST_AFTER = 2500 // milliseconds: the rest of the page comes then, if no first frame has

// The first frame comes before the editor, which is most of the page's code, and before the list of games.
let loadRest = null
const rest = new Promise((done) => {
  loadRest = done
})
const editorModule = rest.then(() => import("./editor.js"))
setTimeout(loadRest, REST_AFTER)

// The first player is a part of index.html: it loads beside the page.
let first = new PlayerFrame(byId("screen"), "player.html", document.querySelector("#screen iframe"))
let player = first

let project = null,
  problems = null,
  editor = null,
  wanted = "main.lua" // the file that the editor shows when it comes
let games = [],
  pending = new Map(),
  timer = 0,
  toastTimer = 0,
  openings = 0,
  unseen = 0 // errors and warnings since the console was shown, where it is a tab

// {== Words for the person ======================================================

function toast(text, bad = false) {
  const box = byId("toast")
  box.textContent = text
  box.classList.toggle("bad", bad)
  box.hidden = false
  clearTimeout(toastTimer)
  toastTimer = setTimeout(
    () => {
      box.hidden = true
    },
    bad ? 9000 : 4000,
  )
}

function showState(kind, text) {
  byId("state").className = `state ${kind}`
  byId("state").textContent = text
}

/** Runs something that may be refused: its reason is shown. */
async function attempt(work) {
  try {
    return await work()
  } catch (error) {
    toast(error instanceof Refusal ? error.message : `That did not work: ${error?.message ?? error}`, true)
    if (!(error instanceof Refusal)) console.warn(error)
    return null
  }
}

// }==

// {== Files and the editor ======================================================

const files = new FileList(byId("file-list"), (path) => {
  openFile(path)
  showTab("code")
})
const output = new ConsolePanel(
  byId("log"),
  byId("prompt"),
  (text) => player?.eval(text),
  (path, line) => goTo(path, line),
)
const checks = new Checks((found) => problems?.setChecked(found))

function showProblems() {
  files.show(project, problems, editor?.path)
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
  if (editor?.path === path) editor.goTo(line)
}

/** Sends edits to the game. Those of a moment are one reload. */
function flush() {
  clearTimeout(timer)
  if (pending.size === 0) return
  const written = [...pending].filter(([, bytes]) => bytes),
    removed = [...pending].filter(([, bytes]) => !bytes)
  player?.write(
    new Map(written),
    removed.map(([path]) => path),
  )
  pending = new Map()
  checks.request(project.name, project.files)
  rememberEdits()
}

function onChange(path) {
  project.isTouched = true
  pending.set(path, project.files.get(path) ?? null)
  clearTimeout(timer)
  timer = setTimeout(flush, PAUSE)
  if (editor && path === editor.path) byId("revert-file").hidden = !project.isChanged(path)
  files.show(project, problems, editor?.path)
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

const changedPaths = () =>
  [...new Set([...project.files.keys(), ...project.published.keys()])].filter((path) => project.isChanged(path))

// }==

// {== A game ====================================================================

function onReport(report) {
  const { kind, text, file, line } = report
  output.add(kind, text, kind === "error" || kind === "warning" ? file : null, line)
  if (kind === "reload") {
    problems.reloaded()
    showState("good", text.split("\n")[0])
  }
  if (kind !== "error" && kind !== "warning") return
  problems.add(report)
  if (byId("main").dataset.tab !== "console") unseen += 1
  byId("console-count").textContent = unseen || ""
}

const RESULTS = {
  refused: "not reloaded: the game goes on with the old code",
  reverted: "the new code failed: the version before is back",
}

function startPlayer() {
  showState("", "")
  if (player !== first) {
    player?.close()
    player = new PlayerFrame(byId("screen"), "player.html")
  }
  first = null
  player.open(
    { name: project.name, origin: project.origin, files: project.files },
    {
      report: onReport,
      result: ({ result }) => RESULTS[result] && showState("bad", RESULTS[result]),
      frame: () => {
        document.body.dataset.frame = Math.round(performance.now())
        loadRest()
        setTimeout(() => checks.request(project.name, project.files), CHECK_AFTER)
      },
      ended: () => showState("", "ended"),
      trouble: ({ text }) => {
        output.add("error", text)
        loadRest()
      },
      note: ({ text }) => output.add("note", text),
    },
  )
}

function press(name, down) {
  player?.key(name, down)
}

/** Plays a project, and shows its files. */
async function play(next) {
  const serial = (openings += 1)
  flush()
  project = next
  wanted = "main.lua"
  problems = new Problems()
  problems.onChange(showProblems)
  project.onChange(onChange)
  pending = new Map()
  output.clear()
  document.title = `${project.name} – spawnpool`
  byId("pick-name").textContent = project.name
  byId("files-title").textContent = project.name
  byId("problem").hidden = true
  startPlayer()
  showTouch(byId("touch"), project, press)
  files.show(project, problems, null)
  const { Editor } = await editorModule
  if (serial !== openings) return
  editor?.destroy()
  editor = new Editor(byId("editor"), project, (path, text) => project.write(path, text))
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
    const { name, files: own } = await promise
    history.replaceState(null, "", location.pathname)
    await play(new Project(name, null, own, await originOf({ files: own })))
    toast(`${name} is open. Its files stay in this browser.`)
  })

// }==

// {== Links, and edits that outlive the page ====================================

const DRAFT = "spawnpool.edits:"

/** Keeps the edits of a game of the site in the browser, until they are undone. Edits of links are not mixed in. */
async function rememberEdits() {
  const its = project // another game may be open once the link is made
  if (!its.isDraft) return
  const { files: edited, removed } = its.edits()
  its.isKept = false
  try {
    const link = await writeLink({ name: its.name, base: its.base, files: edited, removed }, Infinity)
    if (edited.size || removed.length) localStorage.setItem(DRAFT + its.base, link)
    else localStorage.removeItem(DRAFT + its.base)
    its.isKept = true
  } catch {
    // A browser that refuses storage forgets them: the page asks before it closes.
  }
}

function draftOf(name) {
  try {
    return localStorage.getItem(DRAFT + name)
  } catch {
    return null
  }
}

async function openGame(name) {
  history.replaceState(null, "", `#game=${name}`)
  const draft = draftOf(name)
  const link = draft ? await readLink(draft).catch(() => null) : null
  await openLink(link ?? { name, base: name, files: new Map(), removed: [] }, true)
  if (link) toast("Your edits of last time are here. “Undo all edits” is in the Share menu.")
}

async function copyLink() {
  flush()
  const { files: edited, removed } = project.edits()
  const fragment = await writeLink({ name: project.name, base: project.base, files: edited, removed })
  history.replaceState(null, "", fragment)
  try {
    await navigator.clipboard.writeText(location.href)
    toast(`The link is copied: ${location.href.length.toLocaleString("en")} characters.`)
  } catch {
    toast("The link is in the address bar: the browser does not let this page copy it.")
  }
}

function saveZip() {
  flush()
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([writeZip(project.name, project.files)], { type: "application/zip" }))
  link.download = `${project.name}.zip`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10000)
}

/** Opens what the address names, or the first game. Trouble with a link is told, and the first game opens. */
async function openAddress() {
  const link = await attempt(() => readLink(location.hash))
  const hasEdits = link && (link.files.size > 0 || link.removed.length > 0)
  const opened =
    link &&
    (await attempt(async () => {
      await (hasEdits ? openLink(link) : openGame(link.base))
      return true
    }))
  if (!opened) await attempt(() => openGame("shooter"))
}

// }==

// {== The page ==================================================================

function showTab(name) {
  if (name === "console") unseen = 0
  byId("console-count").textContent = unseen || ""
  byId("main").dataset.tab = name
  for (const tab of document.querySelectorAll("[role=tab]")) tab.setAttribute("aria-selected", tab.dataset.tab === name)
}

function listGames() {
  byId("game-list").replaceChildren(
    ...games.map(({ name, about }) => {
      const row = document.createElement("button"),
        title = document.createElement("b"),
        line = document.createElement("small")
      title.textContent = name
      line.textContent = about
      row.append(title, line)
      row.dataset.game = name
      row.onclick = () => {
        byId("games").hidePopover()
        attempt(() => openGame(name))
      }
      return row
    }),
  )
}

function listen() {
  const on = (id, work) => {
    byId(id).onclick = () => attempt(work)
  }
  for (const button of document.querySelectorAll("[data-key]"))
    button.onclick = () => {
      player?.press(button.dataset.key)
      player?.focus()
    }
  for (const tab of document.querySelectorAll("[role=tab]")) tab.onclick = () => showTab(tab.dataset.tab)
  for (const menu of document.querySelectorAll(".menu")) menu.addEventListener("click", () => menu.hidePopover())
  on("restart", () => startPlayer())
  on("full", () => player?.element.requestFullscreen())
  on("copy-link", copyLink)
  on("save-zip", saveZip)
  on("revert", () => revert(changedPaths()))
  on("revert-file", () => revert([editor.path]))
  on("open-file", () => byId("file-input").click())
  on("open-folder", () => byId("folder-input").click())
  for (const id of ["file-input", "folder-input"])
    byId(id).onchange = ({ target }) => {
      if (target.files.length > 0) openOwn(openChosen(target.files))
      target.value = ""
    }
  listenForDrops(byId("drop"), openOwn)
  addEventListener("keydown", (event) => {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault() // there is no file to save: the edit goes live at once
    flush()
  })
  addEventListener("beforeunload", (event) => {
    if (project?.isTouched && !project.isKept) event.preventDefault() // its edits would be lost
  })
  addEventListener("hashchange", () => openAddress())
  startTheme(byId("theme"))
}

listen()
openAddress()
attempt(async () => {
  await rest
  const response = await fetch("games/games.json")
  games = response.ok ? await response.json() : []
  listGames()
})

// }==
