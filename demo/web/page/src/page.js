// The page: a game, its files, an editor and a console. This file connects them.
import { fetchGame, openFiles, plainName, Refusal } from "./archive.js"
import { draftOf, newId, readDraft, readExample, readRecord, writeDraft, writeRecord } from "./drafts.js"
import "./embed.js"
import { listenForFiles } from "./files.js"
import { listGames } from "./games.js"
import { hasOwnProcess, isMarked, removeMark, setMark, showGate, startTicks } from "./gate.js"
import { listenForLayout, setShape, toggleFull } from "./layout.js"
import { readLink } from "./link.js"
import { addLines, listenForLines, listFiles, placed } from "./panels.js"
import { Project } from "./project.js"
import { isRefused, originOf, recall, remember } from "./storage.js"
import { toast } from "./toast.js"
import { showTouch } from "./touch.js"

const PAUSE = 400 // milliseconds after the last key until an edit goes live
const DRAG_PAUSE = 80 // milliseconds between two edits while a number is dragged
const KEEP_FIRST = 300 // milliseconds that an edit waits until it is kept
const PROBLEMS_MOST = 50 // of the running game
const CHECK_AFTER = 1000 // milliseconds after the first frame
const CHECK_MOST = 5000 // milliseconds of a check
const REST_AFTER = 2500 // milliseconds: the rest of the page loads then, if no frame has come
const OFFLINE_AFTER = 3000 // milliseconds
const LINES_EVERY = 150 // milliseconds between two additions to the console
const AGAIN_AFTER = 10000 // milliseconds: a game that hangs sooner is not started again by the page
const byId = (id) => document.getElementById(id)

const player = document.querySelector("spawnpool-game")

// The first frame comes before the editor, which is most of the page's code.
const rest = new Promise((done) => {
  for (const type of ["game-frame", "game-trouble", "gate"]) player.addEventListener(type, done)
  setTimeout(done, REST_AFTER)
})
const editorReady = rest.then(async () => {
  const { Editor } = await import("./editor.js")
  return new Editor(byId("editor"), (path, text) => project.write(path, text))
})

let project = null,
  state = "stopped", // until a person starts it; then "starting", "playing", "over": an edit starts it again
  startedAt = 0,
  running = [], // errors and warnings of the game, since the last edit or reload
  checked = [], // problems of the last check
  checker = null, // the worker that makes it
  editor = null,
  pending = new Set(), // paths of edits that the game does not have yet
  sending = Promise.resolve(), // one edit after the other
  keeping = Promise.resolve(),
  lines = [], // for the console
  stopTicks = null,
  timer = 0,
  checkTimer = 0,
  linesTimer = 0,
  problemsTimer = 0,
  volume = Number(recall("spawnpool.volume") ?? 1)

const showState = (kind, text) => Object.assign(byId("state"), { className: `state ${kind}`, textContent: text })

/** Runs something that may be refused: its reason is shown. Returns null then. */
async function attempt(work) {
  try {
    return await work()
  } catch (error) {
    toast(error instanceof Refusal ? error.message : `That did not work: ${error?.message ?? error}`, null, true)
    if (!(error instanceof Refusal)) console.warn(error)
    return null
  }
}

// {== Files and problems ========================================================

const problems = () => placed([...running, ...checked])
const showFiles = () => {
  if (editor) listFiles(byId("file-list"), { project, problems: problems(), open: editor.path, onOpen: goTo })
}

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
  for (const id of ["rename-file", "delete-file"]) byId(id).hidden = path === "main.lua"
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
    checkTimer = setTimeout(stopCheck, CHECK_MOST)
    checker.onmessage = ({ data }) => {
      stopCheck()
      checked = data
      showProblems()
    }
  }, CHECK_AFTER)
}

// }==

// {== Edits =====================================================================

/** Keeps the project in the browser. Where another page has kept the same game meanwhile, both stay. */
function keep(asVersion = false) {
  const its = project
  its.isKept = false
  keeping = keeping.then(async () => {
    const isNew = its.rev === undefined
    try {
      if (!(await writeDraft(its, asVersion))) await keepBoth(its)
      its.isKept &&= !isRefused() // a browser that refuses the one is about to forget the other
      if (isNew) navigator.storage?.persist?.()
      tell("wrote", its)
    } catch (error) {
      console.warn(error)
      if (!its.isRefused) toast("This browser keeps no edits: save the game as .zip before you leave.", null, true)
      its.isRefused = true
    }
    if (its === project) showAddress()
  })
  return keeping
}

async function keepBoth(its) {
  const name = its.name
  Object.assign(its, { id: newId(), rev: undefined, from: "copy", name: plainName(`${name.slice(0, 34)}-2`) })
  await writeDraft(its)
  if (its === project) showName()
  toast(`“${name}” was changed in another tab, too. Both are kept: the one in this tab is now “${its.name}”.`)
}

/** Sends edits to the game, once they are kept. Those of a moment are one reload. */
function flush() {
  clearTimeout(timer)
  timer = 0
  if (pending.size === 0) return sending
  const its = project,
    paths = [...pending]
  pending.clear()
  forgetProblems()
  const kept = keep(),
    pause = new Promise((done) => setTimeout(done, editor?.isDragging ? 0 : KEEP_FIRST))
  sending = sending.then(async () => {
    await Promise.race([kept, pause])
    if (its !== project) return
    if (state === "over") return startPlayer()
    if (state === "stopped") return
    if (byId("gate").hidden) setMark(its) // a game that was silent before does not hang by this edit
    player.send("write", { files: new Map(paths.map((path) => [path, its.files.get(path)])) })
    requestCheck()
  })
  return sending
}

function onChange(path) {
  project.isTouched = true
  project.isKept = false
  pending.add(path)
  if (!editor?.isDragging) clearTimeout(timer)
  if (!editor?.isDragging || !timer) timer = setTimeout(flush, editor?.isDragging ? DRAG_PAUSE : PAUSE)
  if (path === editor?.path) byId("revert-file").hidden = !project.isChanged(path)
  showFiles()
}

/** Makes the files those of other changes(); the editor can undo that. */
function restore(changes) {
  const paths = new Set([...project.changed(), ...changes.files.keys(), ...changes.removed])
  project.restore(changes)
  for (const path of paths) editor?.reread(path)
  if (editor && !editor.path) openFile("main.lua")
  flush()
  showProblems()
}

const UNCHANGED = { files: new Map(), removed: [] }

/** Changes the project, and tells it with a button that undoes all of `work`. */
function change(text, work) {
  const its = project,
    before = its.changes(),
    path = editor?.path
  work()
  flush()
  const undo = () => {
    if (its !== project) return
    restore(before)
    if (path) openFile(path)
  }
  toast(text, { Undo: undo })
}

function restoreWithUndo(changes, text) {
  keep(true)
  change(text, () => restore(changes))
}

function revertFile() {
  const { path } = editor
  change(`The edits of ${path} are undone.`, () => {
    project.revert(path)
    editor.reread(path)
    if (!editor.path) openFile("main.lua")
  })
}

/** What to go back to when the last edit is to be undone, or null. */
function before() {
  const all = [project.good, ...project.versions, UNCHANGED]
  return all.find((changes) => changes && project.differsFrom(changes)) ?? null
}

function undoLastEdit() {
  player.stop()
  state = "over"
  restoreWithUndo(before(), "The last edit is undone.")
}

// }==

// {== The player ================================================================

/** What the player says of code that it has not taken. */
const REFUSED = /^(warning: )?(not reloaded: |\S.* reverted to the version before )/

/** Adds lines to the console, together with those that come soon. */
function log(kind, text, onclick = null) {
  lines.push({ kind, text, onclick })
  linesTimer ||= setTimeout(() => {
    addLines(byId("log"), lines)
    lines = []
    linesTimer = 0
  }, LINES_EVERY)
}

function onReport(report) {
  const { kind, text, file, line } = report
  const isProblem = kind === "error" || kind === "warning"
  log(kind, text, isProblem && file ? () => goTo(file, line) : null)
  if (kind === "reload") showState("good", text.split("\n")[0])
  if (REFUSED.test(text)) showState("bad", text)
  if (kind === "reload") forgetProblems()
  if (!isProblem) return
  running.push(report)
  if (running.length > PROBLEMS_MOST) running.shift()
  problemsTimer ||= setTimeout(() => {
    problemsTimer = 0
    showProblems()
  }, 2 * LINES_EVERY)
}
/** The version that plays is one to come back to. */
function playsWell() {
  removeMark(project)
  if (pending.size === 0) project.good = project.changes()
}

function onFrame({ width, height, blocked }) {
  state = "playing"
  document.body.dataset.frame = Math.round(performance.now())
  playsWell()
  setShape(width, height)
  requestCheck()
  if (hasOwnProcess(stopTicks?.() ?? [], blocked) === false)
    log("note", "This browser gives the game no process of its own: a call that does not end stops the page, too.")
  stopTicks = null
  if (mayTakeFocus()) player.focus()
}

/** Whether the keys may go to the game: nobody types elsewhere. */
function mayTakeFocus() {
  const { activeElement } = document
  return !activeElement?.closest(".code, .console, .files, dialog, [popover]") && !byId("link-window").open
}

const handlers = {
  report: onReport,
  dropped: ({ count }) => log("note", `… ${count.toLocaleString("en")} lines more`),
  frame: onFrame,
  took: () => state === "playing" && playsWell(),
  slow: ({ on }) => (byId("slow").hidden = !on),
  ended: () => {
    state = "over"
    showState("", "ended")
    gate("The game has ended", ["Enter or an edit starts it again."], { "Play again": startPlayer })
  },
  again: () => startPlayer(),
  full: () => attempt(toggleFull),
  trouble: ({ text }) => {
    state = "over"
    removeMark(project)
    log("error", text)
  },
  silent: () =>
    gate("The game does not answer", ["It is ended when it is silent for 8 seconds. The editor works."], {
      ...undoButton(),
      "Stop it": stopPlayer,
    }),
  answers: () => (byId("gate").hidden = true),
  hung: onHung,
  bug: async ({ files }) => attempt(async () => (await import("./share.js")).saveBug(project, files, toast)),
  picture: async ({ png }) => attempt(async () => (await import("./share.js")).savePicture(project.name, png)),
}

function onHung() {
  const isEarly = isMarked(project) || performance.now() - startedAt < AGAIN_AFTER
  state = "over"
  log("error", "The game did not answer for 8 seconds, and was ended.")
  if (isEarly) return askAgain()
  startPlayer()
  toast("The game did not answer for 8 seconds, and plays again from its text.")
}

function stopPlayer() {
  player.stop()
  state = "over"
  askAgain()
}

/** Whether what has begun has not come back, but still may: then its mark is of no use. */
const isAlive = () => (state === "starting" || state === "playing") && byId("gate").hidden

function gate(title, texts, buttons) {
  showGate(byId("gate"), title, texts, buttons)
  player.dispatchEvent(new Event("gate"))
}

const runButton = (label = "Run") => ({ [label]: startPlayer })
const undoButton = () => before() && { "Undo the last edit": undoLastEdit }
const askAgain = () =>
  gate("This version did not come back", [`Run it, or ${before() ? "undo the last edit" : "mend it in the editor"}.`], {
    ...runButton(),
    ...undoButton(),
  })

function startPlayer() {
  byId("gate").hidden = byId("slow").hidden = true
  showState("", "")
  pending.clear()
  state = "starting"
  startedAt = performance.now()
  setMark(project)
  stopTicks?.()
  stopTicks = startTicks()
  const { name, origin, files } = project
  player.open({ name, origin, files, mute: volume })
}

const size = (bytes) => (bytes < 1 << 20 ? `${Math.ceil(bytes / 1024)} KB` : `${Math.round(bytes / (1 << 20))} MB`)

/** Starts a project, unless a person is to be asked first. */
function startOrAsk() {
  const { name, files } = project,
    bytes = [...files.values()].reduce((sum, content) => sum + content.length, 0),
    isStill = matchMedia("(prefers-reduced-motion: reduce)").matches
  player.stop()
  state = "stopped"
  if (new URLSearchParams(location.search).has("safe") || isMarked(project)) return askAgain()
  if (project.isForeign) {
    const about = `From a link: ${files.size} ${files.size === 1 ? "file" : "files"}, ${size(bytes)}`
    return gate(name, [about, "Nothing of it runs before you say so."], runButton("Play"))
  }
  if (isStill) return gate(name, ["It waits, as this system asks for less motion."], runButton("Play"))
  startPlayer()
}

// }==

// {== Projects ==================================================================

/** The title of a stranger's game never looks like the site's own. */
function showName() {
  const { name, base, from, isForeign } = project,
    isFirst = base === "first" && from === "example",
    shown = isForeign ? `${name} (from a link)` : name
  document.title = `${shown} – spawnpool`
  byId("pick-name").textContent = isFirst ? "Examples" : shown
  byId("pick").classList.toggle("foreign", isForeign)
  byId("main").toggleAttribute("data-first", isFirst)
  byId("files-title").textContent = name
  byId("heading").textContent = shown
}

/** Once a draft is kept, the address is the draft's. */
const addressOf = ({ id, rev, from, address }) => (rev === undefined || from === "example" ? address : `#draft=${id}`)

function showAddress() {
  const wanted = addressOf(project)
  if (location.hash === wanted || (project.from === "example" && !location.hash)) return
  history.replaceState(null, "", wanted || location.pathname + location.search)
}

/** Plays a project, and shows its files. `address` is that which opens it. */
async function play(next, address) {
  const last = project
  if (last) {
    flush()
    if (last.isTouched && last.id !== next.id) {
      const place = last.isRefused ? "not kept by this browser" : "in “Your games”"
      toast(`“${last.name}” is ${place}.`, { Back: () => attempt(() => play(last, addressOf(last))) })
    }
  }
  await sending
  if (last && isAlive()) removeMark(last)
  await keeping
  if (last && location.hash !== address) history.pushState(null, "", address || location.pathname)
  project = next
  project.address = address
  running = checked = []
  pending.clear()
  stopCheck()
  project.onChange = onChange
  byId("log").replaceChildren()
  byId("problem").hidden = true
  delete document.body.dataset.frame
  showName()
  showAddress()
  setShape(0, 0)
  startOrAsk()
  showTouch(byId("touch"), project, (name, down) => player.key(name, down))
  tell("open", project)
  editor = await editorReady
  if (project !== next) return
  editor.start(project)
  openFile("main.lua")
}

/** Opens what a link has: { name, base, files, removed }. */
async function openLink(link) {
  const { name, base } = link,
    { files } = base ? await fetchGame(`games/${base}.zip`) : link
  const next = new Project(name, base, files, await originOf(link))
  if (base) next.apply(link)
  Object.assign(next, { id: newId(), from: "link" })
  await play(next, location.hash)
  const own = await draftOf(next.origin)
  if (own) toast("You have edited this game before.", { "Open yours": () => attempt(() => openDraft(own.id)) })
}

async function openExample(name) {
  const next = await readExample(name),
    { problem } = next
  if (problem instanceof Refusal) toast(`${problem.message} Here is the game as it was published.`, null, true)
  await play(next, name === "first" && !location.hash ? "" : `#game=${name}`)
  if (next.changed().length > 0) toast("Your edits of last time are here. “Undo all edits” is in the Share menu.")
}

async function openDraft(id, version = -1) {
  const next = await readDraft(id)
  if (!next) throw new Refusal("This draft is not in this browser, or no more.")
  await play(next, next.from === "example" ? `#game=${next.base}` : `#draft=${id}`)
  if (version >= 0) restoreWithUndo(next.versions[version], "The version of then is back.")
}

async function openNew() {
  const { files } = await fetchGame("games/new.zip"),
    next = new Project("game", "new", files, null)
  next.id = next.origin = newId()
  next.from = "new"
  await play(next, "#new")
}

/** Opens files of a person's own, which are kept at once. */
const openOwn = (event) =>
  attempt(async () => {
    const { name, files } = await openFiles(event),
      origin = await originOf({ files }),
      next = new Project(name, null, files, origin)
    Object.assign(next, { id: newId(), isTouched: true })
    next.origin ??= next.id
    await play(next, `#draft=${next.id}`)
    await keep()
    toast(`${name} is open. Its files stay in this browser.`)
  })

/** Opens what the address names, or the first game. Trouble with a link is told, and the first game opens. */
async function openAddress() {
  const { hash } = location,
    values = new URLSearchParams(hash.slice(1))
  document.body.classList.toggle("alone", values.has("play"))
  const opened = await attempt(async () => {
    if (values.has("draft")) return openDraft(values.get("draft")).then(() => true)
    if (values.has("new")) return openNew().then(() => true)
    const link = await readLink(hash)
    if (link) await (link.files.size + link.removed.length > 0 ? openLink(link) : openExample(link.base))
    return link
  })
  if (opened) return
  if (hash) history.replaceState(null, "", location.pathname + location.search)
  await attempt(() => openExample("first"))
}

// }==

// {== Other tabs ================================================================

const tabs = globalThis.BroadcastChannel && new BroadcastChannel("spawnpool")

/** `type`: "open"; "here", the answer to that; or "wrote". */
const tell = (type, { id, isForeign }) => isForeign || tabs?.postMessage({ type, id })

if (tabs)
  tabs.onmessage = ({ data: { type, id } }) => {
    if (id !== project?.id) return
    if (type === "open") tell("here", project)
    if (type === "wrote")
      toast(`“${project.name}” was changed in another tab.`, { "Show it": () => attempt(() => openDraft(id)) })
    else toast(`“${project.name}” is open in another tab, too. What both change is kept as two games.`)
  }

// }==

// {== The whole =================================================================

async function renameDraft(id, text) {
  const name = plainName(text)
  if (id === project.id) {
    project.name = name
    showName()
    return keep()
  }
  const record = await readRecord(id)
  if (record) await writeRecord({ ...record, name })
}

/** A draft that is deleted is written again only after another edit. `id` null: all. */
function forgetDraft(id) {
  if (id !== null && id !== project.id) return
  Object.assign(project, { rev: undefined, isTouched: false })
}

const gamesPage = {
  open: (id) => openDraft(id),
  openVersion: (id, i) => openDraft(id, i),
  rename: renameDraft,
  forget: forgetDraft,
  toast,
  attempt,
  current: () => project?.id,
}

/** Files may be dropped anywhere on the page: a picture or a sound into the open game, others are a game. */
function listenForDrops(addFiles) {
  for (const name of ["dragover", "dragleave", "drop"])
    addEventListener(name, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return
      event.preventDefault()
      byId("drop").hidden = name === "drop" || (name === "dragleave" && !event.relatedTarget)
      if (name !== "drop") return
      const isPart = ({ name }) => /\.(png|wav|ogg|json|lua|txt)$/i.test(name)
      if ([...event.dataTransfer.files].every(isPart)) attempt(() => addFiles(event))
      else openOwn(event)
    })
}

function setVolume(value) {
  volume = value
  remember("spawnpool.volume", String(value))
  byId("volume").value = value
  byId("mute").ariaPressed = String(value === 0)
  player.send("volume", { value })
}

function listenForSound() {
  let loud = volume || 1
  byId("volume").oninput = ({ target }) => setVolume(Number(target.value))
  byId("mute").onclick = () => {
    if (volume > 0) loud = volume
    setVolume(volume > 0 ? 0 : loud)
  }
  setVolume(volume)
}

function listen() {
  const on = (id, work) => (byId(id).onclick = () => attempt(work)),
    share = (work) => async () => work(await import("./share.js"))
  listenForLines(byId("prompt"), (text) => {
    log("input", text)
    player.eval(text)
  })
  for (const button of document.querySelectorAll("[data-key]"))
    button.onclick = () => {
      player.key(button.dataset.key, true)
      player.key(button.dataset.key, false)
      player.focus()
    }
  for (const menu of document.querySelectorAll(".menu")) menu.addEventListener("click", () => menu.hidePopover())
  byId("games").addEventListener("toggle", ({ newState }) => {
    if (newState === "open") listGames(byId("your-games"), gamesPage).catch(() => {})
  })
  for (const [type, handler] of Object.entries(handlers))
    player.addEventListener(`game-${type}`, ({ detail }) => handler(detail))
  on("restart", () => {
    startPlayer()
    byId("restart").blur()
  })
  on("full", toggleFull)
  on("picture", () => player.send("picture"))
  on("copy-link", share(({ copyLink }) => copyLink(project, toast)))
  on("share-code", share(({ showCode }) => showCode(project, toast)))
  on("save-zip", share(({ saveZip }) => saveZip(project.name, project.files)))
  on("new", openNew)
  on("revert", () => restoreWithUndo(UNCHANGED, "All edits are undone."))
  on("revert-file", revertFile)
  for (const kind of ["file", "folder"]) {
    on(`open-${kind}`, () => byId(`${kind}-input`).click())
    byId(`${kind}-input`).onchange = (event) => {
      openOwn(event)
      event.target.value = "" // so that the same file can be chosen again
    }
  }
  addEventListener("keydown", (event) => {
    const isSave = event.key === "s" && (event.ctrlKey || event.metaKey)
    if (isSave) flush() // there is no file to save: the edit goes live at once
    else if (event.key === "F11") attempt(toggleFull)
    else if (event.key === "F8") player.send("picture")
    else return
    event.preventDefault()
  })
  addEventListener("beforeunload", (event) => {
    if (!project?.isTouched || project.isKept) return
    flush()
    event.preventDefault() // its edits would be lost
  })
  addEventListener("pagehide", () => project && isAlive() && removeMark(project))
  document.addEventListener("visibilitychange", () => document.hidden && flush())
  addEventListener("hashchange", openAddress)
  listenForSound()
  listenForLayout((full) => player.send("full", { on: full }))
  listenForDrops(listenForFiles({ current: () => project, editor: () => editor, openFile, change, attempt }))
}

listen()
openAddress()
setTimeout(async () => {
  await editorReady
  const { workOffline } = await import("./offline.js")
  await workOffline(() => flush().then(() => keeping)).catch(() => {})
}, OFFLINE_AFTER)
