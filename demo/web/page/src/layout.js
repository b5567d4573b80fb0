// The shape of the page: panels that can be dragged, the stage in the shape of the game, or over the whole screen.
import { recall, remember } from "./storage.js"

const KEY = "spawnpool.panels"
const SIZES = { code: [20, 75, "x"], files: [8, 35, "x"], console: [8, 80, "y"] } // least and most, per cent of main
const STEP = 2 // per cent for a key

const main = document.getElementById("main")
const stage = document.querySelector(".stage")
let sizes = {}

function setSize(name, percent) {
  const [least, most] = SIZES[name],
    size = Math.min(Math.max(percent, least), most)
  sizes[name] = Math.round(size * 10) / 10
  main.style.setProperty(`--${name}-size`, `${sizes[name]}%`)
  document.querySelector(`[data-panel="${name}"]`).ariaValueNow = String(Math.round(size))
  main.classList.toggle("console-set", "console" in sizes)
}

/** The size of a panel whose edge is under the pointer. */
function sizeAt(name, { clientX, clientY }) {
  const box = main.getBoundingClientRect(),
    code = main.querySelector(".code").getBoundingClientRect()
  if (name === "console") return ((box.bottom - clientY) / box.height) * 100
  return (((name === "code" ? box.right : code.left) - clientX) / box.width) * 100
}

function sizeNow(name) {
  const box = main.getBoundingClientRect(),
    { width, height } = main.querySelector(`.${name}`).getBoundingClientRect()
  return SIZES[name][2] === "x" ? (width / box.width) * 100 : (height / box.height) * 100
}

function listenToEdge(edge) {
  const { panel } = edge.dataset,
    [least, most] = SIZES[panel]
  const now = String(Math.round(sizeNow(panel)))
  Object.assign(edge, { ariaValueMin: String(least), ariaValueMax: String(most), ariaValueNow: now })
  const store = () => remember(KEY, JSON.stringify(sizes))
  edge.onpointerdown = (event) => {
    event.preventDefault()
    edge.setPointerCapture(event.pointerId)
    edge.focus()
    main.classList.add("dragged") // a frame under the pointer would take its events
  }
  edge.onpointermove = (event) => edge.hasPointerCapture(event.pointerId) && setSize(panel, sizeAt(panel, event))
  edge.onlostpointercapture = () => {
    main.classList.remove("dragged")
    store()
  }
  edge.onkeydown = ({ key }) => {
    const by = { ArrowLeft: STEP, ArrowUp: STEP, ArrowRight: -STEP, ArrowDown: -STEP }[key]
    if (!by) return
    setSize(panel, sizeNow(panel) + by)
    store()
  }
  edge.ondblclick = () => {
    sizes = {}
    for (const name of Object.keys(SIZES)) main.style.removeProperty(`--${name}-size`)
    main.classList.remove("console-set")
    store()
  }
}

/** The stage takes the shape of a game of this size; 0: none of its own. */
export function setShape(width, height) {
  stage.style.setProperty("--shape", width > 0 && height > 0 ? `${width} / ${height}` : "4 / 3")
  stage.style.setProperty("--ratio", String(width > 0 && height > 0 ? width / height : 4 / 3))
  main.classList.toggle("shaped", width > 0 && height > 0)
}

const isFull = () => document.fullscreenElement === stage || document.body.classList.contains("filled")

/** Covers the screen with the stage and its controls, or the window where a browser has no full screen for it. */
export async function toggleFull() {
  if (document.fullscreenElement) return document.exitFullscreen()
  if (!document.body.classList.contains("filled") && stage.requestFullscreen)
    return stage.requestFullscreen().catch(() => fill())
  fill()
}

let onFull = () => {}
function fill() {
  document.body.classList.toggle("filled")
  onFull(isFull())
}

/** `told(full)` is called when the stage covers the screen or not. */
export function listenForLayout(told) {
  onFull = told
  document.addEventListener("fullscreenchange", () => told(isFull()))
  addEventListener("keydown", ({ key }) => key === "Escape" && document.body.classList.contains("filled") && fill())
  for (const edge of document.querySelectorAll(".edge")) listenToEdge(edge)
  for (const [name, size] of Object.entries(JSON.parse(recall(KEY) ?? "{}")))
    if (SIZES[name] && Number.isFinite(size)) setSize(name, size)
}
