// The panel over the stage while no game plays: the reason, and what a person can do. And the mark: it is set before a
// game or an edit starts, and removed after its first frame. Where it is still set when the page opens, that version
// has hung.
import { make } from "./panels.js"
import { recall, remember } from "./storage.js"

const MARK = "spawnpool.starting:"

// A link has its mark by its origin, a draft by its id; a link may become a draft while its mark is set.
const keyOf = (project) => project.mark ?? MARK + ((project.isForeign && project.origin) || project.id)

export const isMarked = (project) => recall(keyOf(project)) !== null

export function removeMark(project) {
  if (isMarked(project)) remember(keyOf(project), null)
  project.mark = null
}

export function setMark(project) {
  removeMark(project)
  project.mark = keyOf(project)
  remember(project.mark, String(Date.now()))
}

/** Shows sentences and buttons, { label: work }, of which the first one is meant. */
export function showGate(host, title, lines, buttons) {
  const actions = Object.entries(buttons).map(([label, work], i) =>
    make("button", { className: i === 0 ? "strong" : "plain", id: i === 0 ? "play" : "", onclick: work }, label),
  )
  const texts = lines.filter(Boolean).map((line) => make("p", {}, line))
  host.replaceChildren(make("h2", {}, title), ...texts, make("div", { className: "actions" }, ...actions))
  host.hidden = false
}

/** Returns whether this page could do something while the frame was busy from `begin` to `end`, milliseconds; null when
    that was too short to tell. `ticks`: when the page did something. */
export function hasOwnProcess(ticks, [begin, end]) {
  if (end - begin < 40) return null
  return ticks.some((at) => at > begin + 8 && at < end - 8)
}

/** Notes when this page does something; stop() returns the list. */
export function startTicks() {
  const ticks = [],
    timer = setInterval(() => ticks.length < 5000 && ticks.push(performance.timeOrigin + performance.now()), 4)
  return () => (clearInterval(timer), ticks)
}
