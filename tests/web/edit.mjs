// The page in a browser: edits go live, and what is wrong with them is shown.
import assert from "node:assert/strict"
import { after, before, test } from "node:test"

import { readLink, writeLink } from "../../demo/web/page/src/link.js"
import { bytes, linkOf, QUIET, sleep, until, useBrowser } from "./browser.mjs"

const browser = useBrowser({ before, after })

test("a typed edit goes live, and live objects are kept", async () => {
  const visit = await browser.visit()
  await visit.open("#game=shooter")
  await visit.plays()
  await visit.lua("(function() kept = require('spawnpool').pools:alloc('Keepsake', 0) return 1 end)()")
  await visit.openFile("stage.lua")
  await visit.typeFirst("typed_by_hand = 42\n")
  assert.match(await visit.state("good"), /^reloaded stage\.lua .* kept/)
  assert.equal(await visit.lua("typed_by_hand, kept.alive"), "42\ttrue")
  assert.match(await visit.page.$eval("[data-path='stage.lua']", (row) => row.className), /changed/)
  await visit.close()
})

test("edits of one size in the same second are all loaded", async () => {
  const visit = await browser.visit()
  const main = `${QUIET}x = 0\nreturn game\n`
  await visit.open(await linkOf(main))
  await visit.plays()
  for (const x of [1, 2, 3]) {
    await visit.paste(main.replace("x = 0", `x = ${x}`))
    await visit.chord("Control", "s") // at once
  }
  await until("the last edit", async () => (await visit.lua("x")) === "3")
  await visit.close()
})

test("a syntax error is shown at its line, and the game goes on", async () => {
  const visit = await browser.visit()
  await visit.open("#game=cubes")
  await visit.plays()
  await visit.openFile("stage.lua")
  await visit.typeFirst("x = = 3\n")
  await visit.state("bad")
  await until("the problem below the code", () => visit.shown("#problem"))
  assert.match(await visit.text("#problem"), /^stage\.lua:1: .*unexpected symbol/)
  assert.ok(await visit.page.$("#editor >>> .cm-lintRange-error"), "underlined")
  const badge = () => visit.page.$eval("[data-path='stage.lua'] em", ({ textContent }) => textContent)
  await until("one problem, when what a half typed line had is over", async () => (await badge()) === "1")
  const time = Number(await visit.lua("require('spawnpool').pools.time"))
  await until("the game goes on", async () => Number(await visit.lua("require('spawnpool').pools.time")) > time)
  await visit.shot("syntax-error")
  await visit.page.click("#revert-file")
  await until("no problem", async () => !(await visit.shown("#problem")))
  await visit.close()
})

test("--check finds problems that the running game does not meet", async () => {
  const visit = await browser.visit()
  const spark = bytes('return require("spawnpool").class("Spark", { prealoc = 3 })\n')
  await visit.open(
    await writeLink({
      name: "own",
      base: null,
      removed: [],
      files: new Map([
        ["main.lua", bytes(`${QUIET}return game`)],
        ["pools/Spark.lua", spark],
      ]),
    }),
  )
  await visit.plays()
  await until("the problem of the check", () => visit.shown("#problem"))
  assert.match(await visit.text("#problem"), /^pools\/Spark\.lua:1: .*prealoc/)
  await visit.page.click("#problem")
  assert.equal(await visit.text("#path"), "pools/Spark.lua")
  await visit.close()
})

test("an endless loop is stopped, and a fix continues with all objects", async () => {
  const visit = await browser.visit()
  const good =
    `${QUIET}function game.load() kept = spawnpool.pools:alloc("Ball", 0, 5, 5) end\n` +
    "function game.update() turns = (turns or 0) + 1 end\nreturn game\n"
  await visit.open(await linkOf(good))
  await visit.plays()
  await visit.paste(good.replace("turns = (turns or 0) + 1", "while true do end"))
  await until("the problem below the code", () => visit.shown("#problem"))
  assert.match(await visit.text("#problem"), /^main\.lua:4: stopped: it ran for more than 1\.5 s/)
  await visit.paste(good)
  await until("no problem", async () => !(await visit.shown("#problem")))
  const turns = Number(await visit.lua("turns"))
  await until("the game goes on", async () => Number(await visit.lua("turns")) > turns)
  assert.equal(await visit.lua("kept.alive"), "true")
  await visit.close()
})

test("an endless loop at the start is stopped as soon", async () => {
  const load = 'function game.load() while true do end end\nreturn game\n'
  for (const main of ["while true do end", QUIET + load]) {
    const visit = await browser.visit()
    await visit.open(await linkOf(main))
    await until("the problem below the code", () => visit.shown("#problem"))
    assert.match(await visit.text("#problem"), /^main\.lua:\d+: stopped: it ran for more than 1\.5 s/)
    await visit.paste(`${QUIET}function game.update() turns = (turns or 0) + 1 end\nreturn game\n`)
    await until("the game runs", async () => Number(await visit.lua("turns or 0")) > 5)
    await visit.close()
  }
})

test("the editor completes, and undoes", async () => {
  const visit = await browser.visit()
  await visit.open("#game=cubes")
  await visit.plays()
  await visit.openFile("stage.lua")
  const before = await visit.code()
  await visit.typeFirst("spawnpool.pools:al")
  await until("a completion", async () => (await visit.page.$("#editor >>> .cm-tooltip-autocomplete")) !== null)
  await sleep(150)
  await visit.page.keyboard.press("Enter")
  await until("alloc", async () => (await visit.code()).startsWith("spawnpool.pools:alloc"))
  for (let i = 0; i < 30 && (await visit.code()) !== before; i++) await visit.chord("Control", "z")
  assert.equal(await visit.code(), before)
  await visit.close()
})

test("an edit keeps the line ends of its file", async () => {
  const visit = await browser.visit()
  await visit.open(await linkOf(`${QUIET}return game\n`.replaceAll("\n", "\r\n")))
  await visit.plays()
  await visit.typeFirst("x = 1\n")
  await visit.state("good")
  await visit.page.click("#share")
  await visit.page.click("#copy-link")
  await until("a new link", () => visit.page.evaluate(() => !document.getElementById("toast").hidden))
  const { files } = await readLink(await visit.page.evaluate(() => location.hash))
  assert.deepEqual(files.get("main.lua"), bytes(`x = 1\n${QUIET}return game\n`.replaceAll("\n", "\r\n")))
  await visit.close()
})

test("a number that is dragged changes the marked stretch while that loops", async () => {
  const visit = await browser.visit()
  const main = `${QUIET}local SIZE <const> = 20 -- drag this number
n = 0
function game.update() n, size = n + 1, SIZE end
function game.draw(g) g:circle(g.width / 2, 60 + n % 60, SIZE) end
return game
`
  await visit.open(await linkOf(main))
  await visit.plays()
  const number = (name) => visit.lua(name).then(Number)
  await until("two seconds", async () => (await number("n")) > 120)
  await visit.page.click('[data-key="f10"]')
  await (await visit.player).evaluate(() => document.getElementById("canvas").focus())
  const press = (key) => visit.page.keyboard.press(key)
  const settled = (than) =>
    until("it stands still", async () => {
      const at = await number("n")
      await sleep(150)
      return at < than && (await number("n")) === at && at
    })
  const last = await settled(Infinity)
  await press("]") // the stretch ends here, and begins a second earlier
  await press("ArrowLeft")
  const first = await settled(last)
  await press("[")
  await press("Space")
  const painted = async () => {
    const pixels = await visit.pixels()
    return pixels.filter((pixel) => pixel !== pixels[0]).length
  }
  const small = await painted()
  const { x, y } = await (await until("the number", () => visit.page.$("#editor >>> .marked"))).boundingBox()
  await visit.page.mouse.move(x + 5, y + 5)
  await visit.page.mouse.down()
  await visit.page.mouse.move(x + 125, y + 5, { steps: 12 })
  await until("the game has it, with the finger still down", async () => (await number("size")) === 50)
  await until("the picture has it", async () => (await painted()) > small + 80)
  await visit.page.mouse.move(x + 45, y + 5, { steps: 8 })
  await visit.page.mouse.up()
  await until("the last value", async () => (await number("size")) === 30)
  const seen = []
  await until("it loops", async () => seen.push(await number("n")) > 1 && seen.at(-1) < seen.at(-2))
  assert.ok(seen.every((n) => n >= first && n <= last), `${seen} in ${first} to ${last}`)
  await visit.shot("drag-in-loop")
  await visit.close()
})

test("a finger drags a number, and does not scroll the code", async () => {
  const visit = await browser.visit({ touch: true, width: 390, height: 844 })
  await visit.open()
  await visit.plays()
  const { x, y } = await (await until("the number", () => visit.page.$("#editor >>> .marked"))).boundingBox()
  const finger = await visit.page.touchscreen.touchStart(x + 5, y + 5)
  for (let i = 1; i <= 12; i++) await finger.move(x + 5 + 5 * i, y + 5)
  await finger.end()
  assert.match(await visit.code(), /SPEED <const> = 410/)
  await visit.close()
})
