// Keys without a keyboard: the touch controls of a game, a direction pad and the keys that its Lua mentions. So games
// need no code for them; a touch on the game itself is its mouse.
import { make } from "./panels.js"

/** The keys that get a button, by SDL's names of them. */
export const KEY = /^([a-z0-9`]|f([1-9]|1[0-2])|space|tab|backspace|left shift|left ctrl)$/

/** Names in calls such as input.down("left", "a"), and in the table of actions. */
const LISTS =
  /\b(?:input\.(?:down|pressed|released)\s*(?:\(\s*)?(?=")|actions\s*=\s*)(\{(?:[^{}]|\{[^{}]*\})*\}|(?:"[^"]+",?\s*)+)/g

const BUTTONS_MOST = 8
const ACTIONS = /\bactions\s*=\s*\{((?:[^{}]|\{[^{}]*\})*)\}/g
const ARROWS = ["left", "right", "up", "down"]
const DIRECTIONS = [...ARROWS, "w", "a", "s", "d"]

/** The actions of a game with their first key, { name, key }: those that the pad has are left out. */
function actionsIn(text) {
  const found = []
  for (const [, body] of text.matchAll(ACTIONS))
    for (const [, name, list] of body.matchAll(/\b(\w+)\s*=\s*(\{[^{}]*\}|"[^"]*")/g)) {
      const keys = Array.from(list.matchAll(/"([^"]+)"/g), ([, key]) => key).filter((key) => !key.includes(":"))
      const key = keys.find((key) => KEY.test(key) && !DIRECTIONS.includes(key)) ?? keys.find((key) => KEY.test(key))
      found.push({ name, keys, key })
    }
  return found
}

/** Names of all keys that sources mention, in their order. */
function mentioned(sources) {
  const found = new Set()
  for (const text of sources) {
    for (const [, name] of text.matchAll(/\bkey == "([^"]+)"/g)) found.add(name)
    for (const [, list] of text.matchAll(LISTS))
      for (const [, name] of list.matchAll(/"([^"]+)"/g)) found.add(name)
    for (const [, table] of text.matchAll(/(\w+)\[key\]\(/g)) for (const name of namesIn(text, table)) found.add(name)
  }
  return found
}

/** The names in a table of functions by key, of which each has a line. */
function namesIn(text, table) {
  const body = new RegExp(`\\b${table}(?: <const>)? = \\{\\n([\\s\\S]{0,4000}?)\\n\\}`).exec(text)?.[1] ?? ""
  return Array.from(body.matchAll(/^ {2}(?:\["([^"]+)"\]|(\w+))\s*=/gm), ([, quoted, name]) => quoted ?? name)
}

/** Names of the keys that a game's Lua mentions, in the order of a touch panel: { arrows, keys: [name] }; `leftOut` are
    not among them. */
export function keysIn(sources, leftOut = new Set()) {
  const found = mentioned(sources)
  const arrows = ARROWS.some((name) => found.has(name))
  const wasd = ["w", "a", "s", "d"].every((name) => found.has(name))
  const isShown = (name) => KEY.test(name) && !(arrows && wasd && "wasd".includes(name)) && !leftOut.has(name)
  return { arrows, keys: [...found].filter(isShown).slice(0, BUTTONS_MOST) }
}

/** The buttons of a touch panel: { arrows, buttons: [{ key, label }] }. An action has one button, with its name, unless
    the pad has all of its keys. */
export function buttonsIn(sources) {
  const all = sources.flatMap(actionsIn),
    { arrows, keys } = keysIn(sources, new Set(all.flatMap((action) => action.keys)))
  const isOnPad = (action) => arrows && action.keys.every((key) => DIRECTIONS.includes(key))
  const shown = all.filter((action) => action.key && !isOnPad(action)),
    first = shown.filter(({ key }, i) => shown.findIndex((other) => other.key === key) === i)
  const named = first.map(({ name, key }) => ({ key, label: name.replaceAll("_", " ") })),
    others = keys.map((key) => ({ key, label: key.replace("left ", "") }))
  return { arrows, buttons: [...named, ...others].slice(0, BUTTONS_MOST) }
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

const keyButton = ({ key, label }, press) =>
  holdKeys(make("button", { dataset: { name: key } }, label), press, () => [key])

/** Fills `host` with the controls of a game; `press(name, down)`. */
export function showTouch(host, project, press) {
  const sources = project.sources().filter((path) => path.endsWith(".lua"))
  const { arrows, buttons: all } = buttonsIn(sources.map((path) => project.text(path)))
  const buttons = all.map((button) => keyButton(button, press))
  host.replaceChildren(arrows ? pad(press) : "", make("div", { className: "keys" }, ...buttons))
}
