// Keys by the names that games use ("left", "space", "a", "f3"), and events that press them. SDL reads `code` and
// `keyCode` of an event, so that these equal those of a keyboard.
const NAMED = {
  left: ["ArrowLeft", "ArrowLeft", 37],
  up: ["ArrowUp", "ArrowUp", 38],
  right: ["ArrowRight", "ArrowRight", 39],
  down: ["ArrowDown", "ArrowDown", 40],
  space: ["Space", " ", 32],
  return: ["Enter", "Enter", 13],
  escape: ["Escape", "Escape", 27],
  tab: ["Tab", "Tab", 9],
  backspace: ["Backspace", "Backspace", 8],
  "left shift": ["ShiftLeft", "Shift", 16],
  "left ctrl": ["ControlLeft", "Control", 17],
  "`": ["Backquote", "`", 192],
}

/** Returns [code, key, keyCode] of a key, or null. */
export function keyOf(name) {
  if (NAMED[name]) return NAMED[name]
  if (/^[a-z]$/.test(name)) return [`Key${name.toUpperCase()}`, name, name.toUpperCase().charCodeAt(0)]
  if (/^[0-9]$/.test(name)) return [`Digit${name}`, name, name.charCodeAt(0)]
  if (/^f([1-9]|1[0-2])$/.test(name)) return [name.toUpperCase(), name.toUpperCase(), 111 + Number(name.slice(1))]
  return null
}

/** Presses or releases a key on an element. */
export function sendKey(element, name, down) {
  const found = keyOf(name)
  if (!found) return
  const [code, key, keyCode] = found
  const event = new KeyboardEvent(down ? "keydown" : "keyup", { code, key, bubbles: true, cancelable: true })
  for (const field of ["keyCode", "which"]) Object.defineProperty(event, field, { value: keyCode })
  element.dispatchEvent(event)
}

/** Names of the keys that a game's Lua mentions, in the order of a touch panel: { arrows, keys: [name] }. */
export function keysIn(sources) {
  const found = new Set()
  for (const text of sources) {
    for (const [, name] of text.matchAll(/\bkey == "([^"]+)"/g)) found.add(name)
    for (const [, list] of text.matchAll(/\binput\.down\s*(?:\(\s*)?((?:"[^"]+",?\s*)+)/g))
      for (const [, name] of list.matchAll(/"([^"]+)"/g)) found.add(name)
  }
  const arrows = ["left", "right", "up", "down"].some((name) => found.has(name))
  const wasd = ["w", "a", "s", "d"].every((name) => found.has(name))
  const skipped = new Set(["left", "right", "up", "down", "return", "escape", ...(arrows && wasd ? "wasd" : "")])
  return { arrows, keys: [...found].filter((name) => !skipped.has(name) && keyOf(name)).slice(0, 8) }
}
