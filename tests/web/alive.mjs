// The page in a browser: whatever a game does, the page answers; and a stranger's game begins when it is told to.
import assert from "node:assert/strict"

import { linkOf, QUIET, until, useBrowser } from "./browser.mjs"

const { visiting, playing } = useBrowser()

const GAP_MOST = 1500 // milliseconds: the machine of a test may be busy; without bounds it is many seconds
const game = (text) => `${QUIET}${text}\nreturn game`
const has = (visit, text) => until(`code with ${text}`, async () => (await visit.code()).includes(text))

/** Types a key and clicks a tab; returns when the page has shown both, in milliseconds of its own. */
async function answers(visit) {
  await visit.content
  const gap = visit.worstGap(1500)
  await visit.typeFirst("-- x\n")
  await has(visit, "-- x")
  return gap
}

/** In the frame: a call that does not end, whichever it is. */
const hang = async (visit) =>
  (await visit.player).evaluate(() => {
    setTimeout(() => {
      for (;;);
    })
  })

playing("a game that hangs is said, ended, and plays again from its text", game("turns = 1"), async (visit) => {
  await visit.page.evaluate(() => {
    const now = performance.now.bind(performance)
    performance.now = () => now() + 20000 // it has played for a while
  })
  await visit.playsAfter(async () => {
    await hang(visit)
    assert.match(await visit.gate(), /does not answer/)
    assert.ok((await answers(visit)) < GAP_MOST)
  })
  assert.equal(await visit.number("turns"), 1)
})

for (const [name, text] of [
  ["steps of 100 ms", "function game.update() local t = os.clock() while os.clock() - t < 0.1 do end end"],
  ["a thousand prints a step", "function game.update() for i = 1, 1000 do print(i) end end"],
  ["20,000 warnings a step", 'function game.update() for i = 1, 20000 do warn("w" .. i) end end'],
])
  playing(`the editor answers beside ${name}`, game(text), async (visit) => {
    const gap = await answers(visit)
    assert.ok(gap < GAP_MOST, `${gap} ms`)
  })

playing("dropped steps are said, and dropped lines are counted", game("function game.update() end"), async (visit) => {
  await visit.paste(game("function game.update() local t = os.clock() while os.clock() - t < 0.05 do end end"))
  await until("slow motion", () => visit.shown("#slow"))
  await visit.paste(game("function game.update() if not done then for i = 1, 3000 do print(i) end end done = 1 end"))
  await until("the rest", async () => /2,800 lines more/.test(await visit.text("#log")))
  await until("its own pace", async () => !(await visit.shown("#slow")))
})

// {== Links of strangers ========================================================

visiting("nothing of a link runs before a person says so", async (visit) => {
  await visit.open(await linkOf(game('print "it runs"'), "theirs"), { asks: true })
  assert.match(await visit.gate(), /theirs[\s\S]*From a link: 1 file/)
  await has(visit, "it runs")
  assert.match(await visit.text("#pick-name"), /from a link/)
  assert.match(await visit.page.title(), /from a link/)
  await new Promise((done) => setTimeout(done, 1500)) // longer than a check waits
  assert.equal(visit.page.frames().length, 1)
  assert.equal(await visit.text("#log"), "")
  await visit.press("Play")
  await visit.plays()
  await until("its print", async () => (await visit.text("#log")).includes("it runs"))
})

visiting("a link to an example does not look as the site's own", async (visit) => {
  await visit.open(`#game=first&edit=${(await linkOf(game(""), "first")).split("edit=")[1]}`, { asks: true })
  assert.match(await visit.gate(), /first/)
  assert.match(await visit.text("#pick-name"), /^first \(from a link\)$/)
})

const GRAB = game(`function game.update()
  spawnpool.window.cursor = false
  spawnpool.window.fullscreen = true
end`)
playing("only a person covers the screen", GRAB, async (visit) => {
  const screen = await (await visit.page.$("#screen")).boundingBox()
  await visit.page.mouse.click(screen.x + 50, screen.y + 50)
  await visit.grows()
  assert.equal(await visit.page.evaluate(() => document.fullscreenElement), null)
  const shown = () => getComputedStyle(document.getElementById("canvas")).cursor
  const cursor = async () => (await visit.player).evaluate(shown)
  assert.notEqual(await cursor(), "none")
  await visit.page.click("#full")
  await until("the stage covers it", () => visit.page.evaluate(() => document.fullscreenElement?.className === "stage"))
  await until("no cursor", async () => (await cursor()) === "none")
  await visit.page.evaluate(() => document.exitFullscreen())
  await until("a cursor", async () => (await cursor()) !== "none")
})

visiting("a link for players shows the game alone", async (visit) => {
  await visit.open("#game=cubes&play")
  await visit.plays()
  assert.equal(await visit.page.$eval(".code", (element) => element.checkVisibility()), false)
  assert.ok(await visit.page.$eval("#full", (element) => element.checkVisibility()))
})

// }==

// {== Keys ======================================================================

const KEYS = game(`pressed = 0
function game.key_pressed(key) if key == "space" then pressed = pressed + 1 end end
function game.update() if pressed == 3 then spawnpool.quit() end end`)

playing("keys reach the game after it was opened and started again; Enter starts an ended one", KEYS, async (visit) => {
  const press = (key) => visit.page.keyboard.press(key)
  const reaches = (count) => until(`${count} keys`, async () => (await visit.number("pressed")) === count)
  await visit.hasKeys()
  await press("Space")
  await reaches(1)
  await visit.playsAfter(() => visit.page.click("#restart"))
  await visit.hasKeys()
  await press("Space")
  await reaches(1)
  await press("Escape") // ends nothing
  await press("Space")
  await reaches(2)
  await visit.focusGame()
  await press("Space")
  assert.match(await visit.gate(), /has ended/)
  await visit.playsAfter(() => visit.page.keyboard.down("Enter")) // it takes the frame away, which then answers nothing
  await visit.page.keyboard.up("Enter")
  await visit.focusGame()
  for (let i = 0; i < 3; i++) await press("Space")
  assert.match(await visit.gate(), /has ended/)
  await visit.playsAfter(() => visit.typeFirst("-- again\n"))
})

// }==
