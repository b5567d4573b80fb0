// The page in a browser: what can be seen and reached, at every size, with keys only, in light and dark.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"

import { linkOf, QUIET, until, useBrowser } from "./browser.mjs"

const { browser, visiting, playing } = useBrowser()
const require = createRequire(new URL("../../demo/web/page/", import.meta.url))
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8")

const SCREENS = {
  "the first page": async (visit) => (await visit.open("")).plays(),
  "a game": async (visit) => {
    await (await visit.open("#game=shooter")).plays()
    await visit.typeFirst("x = = 1 -- a problem\n")
    await visit.problem()
  },
  "the menus": async (visit) => {
    await (await visit.open("#game=cubes")).plays()
    await visit.typeFirst("-- edited\n")
    await until("it is kept", () => visit.kept())
    await visit.page.click("#pick")
    await (await until("your games", () => visit.page.$("#your-games .dots"))).click()
  },
  "a link": async (visit) => {
    await visit.open(await linkOf(`${QUIET}return game`, "theirs"), { asks: true })
    await visit.gate()
    await visit.content
  },
}

for (const [name, open] of Object.entries(SCREENS))
  for (const value of ["light", "dark"])
    visiting(`axe finds nothing: ${name}, ${value}`, async (visit) => {
      await visit.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }])
      await open(visit)
      await visit.shot(`axe-${name.replaceAll(" ", "-")}-${value}`)
      await visit.page.evaluate(AXE)
      const found = await visit.page.evaluate(async () => {
        const { violations } = await globalThis.axe.run(document, { iframes: false })
        const line = (id, { html, any }) => `${id}: ${html.slice(0, 120)} ${any[0]?.message ?? ""}`
        return violations.flatMap(({ id, nodes }) => nodes.map((node) => line(id, node)))
      })
      assert.deepEqual(found, [])
    })

/** In the page: what of these cannot be brought into view, or is cut off sideways. */
const unreachable = (selectors) =>
  selectors.filter((selector) => {
    const element = document.querySelector(selector)
    if (!element?.checkVisibility()) return true
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" })
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const seen = Math.min(bottom, innerHeight) - Math.max(top, 0)
    return left < -1 || right > innerWidth + 1 || seen < Math.min(20, bottom - top) || bottom - top < 8
  })

const CONTROLS = ["#pick", "#new", "#share", "#restart", "#full", "#mute", '[data-key="f6"]', "#screen"]
// 1280 x 800 at 200 % and 400 % are 640 x 400 and 320 x 200.
for (const [width, height, touch] of [
  [320, 568, true],
  [320, 200, false],
  [640, 400, false],
  [390, 844, true],
  [844, 390, true],
  [820, 1180, true],
  [1280, 800, false],
  [1920, 1080, false],
])
  visiting(
    `everything can be reached at ${width} x ${height}`,
    async (visit) => {
      await (await visit.open("#game=platformer")).plays()
      await visit.content
      await visit.shot(`${width}x${height}`)
      assert.deepEqual(await visit.page.evaluate(unreachable, CONTROLS), [])
      for (const [tab, panel] of [
        ["#tab-files", "#new-file"],
        ["#tab-console", "#line"],
        ["#tab-code", "#editor"],
      ]) {
        await visit.page.$eval(tab, (element) => element.click())
        assert.deepEqual(await visit.page.evaluate(unreachable, [panel]), [])
      }
      const lines = await visit.page.$eval("#editor", ({ clientHeight }) => clientHeight / 21)
      assert.ok(lines > 4, `${lines} lines of code`)
      const fits = () => document.documentElement.scrollWidth <= innerWidth
      assert.ok(await visit.page.evaluate(fits), "nothing sticks out")
    },
    { width, height, touch },
  )

visiting("a game of pixels fills most of the stage", async (visit) => {
  for (const [width, height] of [
    [1280, 800],
    [1920, 1080],
  ]) {
    await visit.page.setViewport({ width, height })
    await (await visit.open("?#game=platformer")).plays()
    const view = await visit.lua("require('spawnpool').view.width, require('spawnpool').view.height")
    const [w, h] = view.split("\t").map(Number),
      screen = await (await visit.page.$(".screen")).boundingBox()
    const scale = Math.min(screen.width / w, screen.height / h),
      used = scale * w * scale * h
    assert.ok(used / (screen.width * screen.height) > 0.9, "the stage has the shape of the game")
    await until("its picture", async () => new Set(await visit.pixels()).size > 20)
  }
})

playing("panels are dragged, also by keys, and remembered", "#game=cubes", async (visit) => {
  const width = () => visit.page.$eval(".code", (element) => element.getBoundingClientRect().width)
  const before = await width()
  await visit.dragFrom(await visit.page.$('[data-panel="code"]'), -100)
  await visit.page.mouse.up()
  const wide = await width()
  assert.ok(wide > before + 60, `${before} to ${wide}`)
  await visit.page.focus('[data-panel="code"]')
  await visit.page.keyboard.press("ArrowLeft")
  const wider = await width()
  assert.ok(wider > wide + 5)
  await visit.playsAfter(() => visit.page.reload())
  assert.ok(Math.abs((await width()) - wider) < 3)
})

const NUMBER = `${QUIET}local SPEED <const> = 260 -- drag this number
function game.update() speed = SPEED end\nreturn game`
playing("a number is stepped by keys", NUMBER, async (visit) => {
  await (await visit.content).focus()
  await visit.chord("Control", "Home")
  for (let i = 0; i < 2; i++) await visit.page.keyboard.press("ArrowDown")
  for (let i = 0; i < 25; i++) await visit.page.keyboard.press("ArrowRight")
  await visit.chord("Alt", "ArrowUp")
  await until("the game has it", async () => (await visit.number("speed")) === 270)
})

visiting("with less motion a game waits", async (visit) => {
  await visit.page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }])
  await visit.open("#game=cubes")
  assert.match(await visit.gate(), /less motion/)
  await visit.press("Play")
  await visit.plays()
})

// {== Files, help, and no network ===============================================

playing("files are made, renamed and deleted in the page, and each is live", "#game=cubes", async (visit) => {
  const ask = async (button, path) => {
    await visit.page.click(button)
    await visit.page.$eval("#file-name", (input) => (input.value = ""))
    await visit.page.type("#file-name", path)
    await visit.page.keyboard.press("Enter")
  }
  await ask("#new-file", "pools/Rain.lua")
  await until("its text", async () => /class\("Rain"/.test(await visit.code()))
  const hasClass = () => visit.lua("require('spawnpool').pools:pool('Rain').class ~= nil")
  await until("the class", async () => /true/.test(await hasClass()))
  await ask("#rename-file", "pools/Hail.lua")
  await until("its row", () => visit.page.$("[data-path='pools/Hail.lua']"))
  await visit.page.click("#delete-file")
  await until("no row", async () => !(await visit.page.$("[data-path='pools/Hail.lua']")))
  await visit.press("Undo", "#toast")
  await until("its row", () => visit.page.$("[data-path='pools/Hail.lua']"))
})

playing("a picture that is dropped is in the open game", "#game=cubes", async (visit) => {
  const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==", "base64")
  await visit.drop(png, "dot.png")
  await until("a word", async () => /sprites\/dot\.png is in the game/.test(await visit.text("#toast")))
  await visit.state("good")
})

playing("the word under the pointer is explained", "#game=cubes", async (visit) => {
  await visit.typeFirst('spawnpool.pools:alloc("x")\n')
  const box = await visit.page.evaluate(() => {
    const root = document.getElementById("editor").shadowRoot,
      walker = document.createTreeWalker(root.querySelector(".cm-line"), NodeFilter.SHOW_TEXT)
    for (let node; (node = walker.nextNode()); ) {
      const at = node.data.indexOf("alloc")
      if (at < 0) continue
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + 5)
      const { x, y, width, height } = range.getBoundingClientRect()
      return { x: x + width / 2, y: y + height / 2 }
    }
  })
  await visit.page.mouse.move(box.x - 30, box.y)
  await visit.page.mouse.move(box.x, box.y)
  const docs = await until("a text", () => visit.page.$("#editor >>> .docs"))
  assert.match(await docs.evaluate((element) => element.textContent), /alloc\(.*lifetime/)
})

playing("page and games work without a network", "#game=cubes", async (visit) => {
  const isActive = async () => Boolean((await navigator.serviceWorker.getRegistration())?.active)
  await until("the worker", () => visit.page.evaluate(isActive))
  await visit.playsAfter(() => visit.page.reload())
  await visit.page.evaluate(() => fetch("games/storm.zip")) // stored while there is a network
  await visit.page.setOfflineMode(true)
  for (const frame of visit.page.frames()) await frame.evaluate(() => 1).catch(() => {})
  await visit.playsAfter(() => visit.page.reload())
  await visit.playsAfter(() => visit.page.click("#restart"))
  await visit.playsAfter(() => visit.page.$eval('#game-list [href="#game=storm"]', (link) => link.click()))
  await visit.grows()
  visit.forgive(/ERR_INTERNET_DISCONNECTED/)
})

// }==
