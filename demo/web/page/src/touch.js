// Keys without a keyboard: the touch controls of a game, a direction pad and the keys that its Lua mentions. So games
// need no code for them; a touch on the game itself is its mouse.
import { make } from "./panels.js"

/** The keys that get a button, by SDL's names of them. */
export const KEY = /^([a-z0-9`]|f([1-9]|1[0-2])|space|tab|backspace|left shift|left ctrl)$/

/** Names in calls such as input.down("left", "a"), and in the table of actions. */
const LISTS =
  /\b(?:input\.(?:down|pressed|released)\s*(?:\(\s*)?(?=")|actions\s*=\s*)(\{(?:[^{}]|\{[^{}]*\})*\}|(?:"[^"]+",?\s*)+)/g

/** Names of the keys that a game's Lua mentions, in the order of a touch panel: { arrows, keys: [name] }. */
export function keysIn(sources) {
  const found = new Set()
  for (const text of sources) {
    for (const [, name] of text.matchAll(/\bkey == "([^"]+)"/g)) found.add(name)
    for (const [, list] of text.matchAll(LISTS))
      for (const [, name] of list.matchAll(/"([^"]+)"/g)) found.add(name)
  }
  const arrows = ["left", "right", "up", "down"].some((name) => found.has(name))
  const wasd = ["w", "a", "s", "d"].every((name) => found.has(name))
  const isShown = (name) => KEY.test(name) && !(arrows && wasd && "wasd".includes(name))
  return { arrows, keys: [...found].filter(isShown).slice(0, 8) }
}

/** Returns the directions of a point of the pad: one or two, and none in the middle. */
export function directions(dx, dy) {
  const far = Math.hypot(dx, dy)
  const found = { left: -dx, right: dx, up: -dy, down: dy }
  return far < 0.22 ? [] : Object.keys(found).filter((name) => found[name] / far > 0.38)
}

/** A finger on `element` holds the keys that `keysAt(event)` names, and may slide over it. */
function holdKeys(element, press, keysAt) {
  let held = []
  const hold = (wanted) => {
    for (const name of held) if (!wanted.includes(name)) press(name, false)
    for (const name of wanted) if (!held.includes(name)) press(name, true)
    held = wanted
    element.dataset.held = wanted.join(" ")
  }
  element.onpointerdown = (event) => {
    event.preventDefault()
    element.setPointerCapture(event.pointerId)
    hold(keysAt(event))
  }
  element.onpointermove = (event) => element.hasPointerCapture(event.pointerId) && hold(keysAt(event))
  element.onlostpointercapture = () => hold([])
  return element
}

function pad(press) {
  const host = make("div", { className: "pad", role: "group", ariaLabel: "Directions" })
  return holdKeys(host, press, ({ clientX, clientY }) => {
    const { x, y, width, height } = host.getBoundingClientRect()
    return directions(((clientX - x) / width) * 2 - 1, ((clientY - y) / height) * 2 - 1)
  })
}

const keyButton = (name, press) =>
  holdKeys(make("button", { dataset: { name } }, name.replace("left ", "")), press, () => [name])

/** Fills `host` with the controls of a game; `press(name, down)`. */
export function showTouch(host, project, press) {
  const sources = project.sources().filter((path) => path.endsWith(".lua"))
  const { arrows, keys } = keysIn(sources.map((path) => project.text(path)))
  const buttons = keys.map((name) => keyButton(name, press))
  host.replaceChildren(arrows ? pad(press) : "", make("div", { className: "keys" }, ...buttons))
}
