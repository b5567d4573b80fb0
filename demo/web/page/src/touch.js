// Touch controls: a direction pad and keys, those that the game's Lua mentions. A finger may slide over the pad. They
// press keys of the player, so that games need no code for them; a touch on the game itself is its mouse.
import { keysIn } from "./keys.js"

const LABELS = { space: "Space", "left shift": "Shift", "left ctrl": "Ctrl", tab: "Tab" }

function keyButton(name, press) {
  const button = document.createElement("button")
  button.dataset.name = name
  button.textContent = LABELS[name] ?? name.toUpperCase()
  if (name === "space") button.className = "wide"
  const down = (event) => {
    event.preventDefault()
    button.setPointerCapture(event.pointerId)
    button.classList.add("down")
    press(name, true)
  }
  const up = () => {
    if (!button.classList.contains("down")) return
    button.classList.remove("down")
    press(name, false)
  }
  button.onpointerdown = down
  button.onpointerup = button.onpointercancel = button.onlostpointercapture = up
  return button
}

/** Which directions a point of the pad means: eight, and none in the middle. */
export function directions(dx, dy) {
  if (Math.hypot(dx, dy) < 0.22) return []
  const found = [],
    far = Math.hypot(dx, dy)
  if (dx / far < -0.38) found.push("left")
  if (dx / far > 0.38) found.push("right")
  if (dy / far < -0.38) found.push("up")
  if (dy / far > 0.38) found.push("down")
  return found
}

function pad(press) {
  const host = document.createElement("div")
  host.className = "pad"
  host.setAttribute("role", "group")
  host.setAttribute("aria-label", "Directions")
  let held = []
  const hold = (wanted) => {
    for (const name of held) if (!wanted.includes(name)) press(name, false)
    for (const name of wanted) if (!held.includes(name)) press(name, true)
    held = wanted
    host.dataset.held = wanted.join(" ")
  }
  const move = (event) => {
    const box = host.getBoundingClientRect()
    hold(directions(((event.clientX - box.x) / box.width) * 2 - 1, ((event.clientY - box.y) / box.height) * 2 - 1))
  }
  host.onpointerdown = (event) => {
    event.preventDefault()
    host.setPointerCapture(event.pointerId)
    move(event)
  }
  host.onpointermove = (event) => host.hasPointerCapture(event.pointerId) && move(event)
  host.onpointerup = host.onpointercancel = host.onlostpointercapture = () => hold([])
  return host
}

/** Fills `host` with the controls of a game; `press(name, down)`. Hidden when the game reads no keys. */
export function showTouch(host, project, press) {
  const sources = project
    .sources()
    .filter((path) => path.endsWith(".lua"))
    .map((path) => project.text(path))
  const { arrows, keys } = keysIn(sources)
  const buttons = document.createElement("div")
  buttons.className = "keys"
  buttons.append(...keys.map((name) => keyButton(name, press)))
  host.replaceChildren(...(arrows ? [pad(press)] : []), ...(keys.length ? [buttons] : []))
  host.hidden = host.childElementCount === 0
}
