// Short messages over the page, each with its own time and at most one button. Those under the pointer stay.
import { make } from "./panels.js"

const MOST = 3
const LASTS = { plain: 5000, action: 15000, bad: 12000 } // milliseconds

/** `action`: { label: work }, or null. */
export function toast(text, action = null, bad = false) {
  const box = document.getElementById("toast"),
    row = make("div", { className: bad ? "bad" : "" }, make("span", {}, text))
  const remove = () => {
    row.remove()
    box.hidden = box.childElementCount === 0
  }
  for (const [label, work] of Object.entries(action ?? {})) {
    const button = make("button", {}, label)
    button.onclick = () => {
      remove()
      work()
    }
    row.append(button)
  }
  if (action?.Undo) for (const older of box.querySelectorAll(".undo")) older.remove() // it would undo this, too
  if (action?.Undo) row.classList.add("undo")
  const close = make("button", { className: "close", ariaLabel: "Close this message", onclick: remove }, "×")
  row.append(close)
  let timer = 0
  const wait = () => (timer = setTimeout(remove, action ? LASTS.action : bad ? LASTS.bad : LASTS.plain))
  row.onpointerenter = row.onfocusin = () => clearTimeout(timer)
  row.onpointerleave = wait
  box.append(row)
  while (box.childElementCount > MOST) box.firstElementChild.remove()
  box.hidden = false
  wait()
}
