// The page in a browser: edits go live, and what is wrong with them is shown.
import assert from "node:assert/strict"

import { readLink } from "../../demo/web/page/src/link.js"
import { bytes, linkOf, patient, QUIET, until, useBrowser } from "./browser.mjs"

const { visiting, playing } = useBrowser()

const COUNTING = `${QUIET}function game.load() kept = spawnpool.pools:alloc("Ball", 0, 5, 5) end
function game.update() turns = (turns or 0) + 1 end
return game
`

const edit = async (visit) => {
  await visit.lua("(function() kept = require('spawnpool').pools:alloc('Keepsake', 0) return 1 end)()")
  await visit.openFile("stage.lua")
  await visit.typeFirst("typed_by_hand = 42\n")
  assert.match(await visit.state("good"), /^reloaded stage\.lua .* kept/)
  assert.equal(await visit.lua("typed_by_hand, kept.alive"), "42\ttrue")
  assert.match(await visit.page.$eval("[data-path='stage.lua']", (row) => row.className), /changed/)
  await visit.typeFirst("x = = 3\n")
  await visit.state("bad")
  assert.match(await visit.problem(), /^stage\.lua:1: .*unexpected symbol/)
  assert.ok(await visit.page.$("#editor >>> .cm-lintRange-error"), "underlined")
  const badge = () => visit.page.$eval("[data-path='stage.lua'] em", ({ textContent }) => textContent)
  await until("one problem, when what a half typed line had is over", async () => (await badge()) === "1")
  await visit.grows()
  await visit.shot("syntax-error")
  await visit.page.click("#revert-file")
  await visit.isFine()
}
playing("an edit goes live, or is shown as a problem at its line", "#game=shooter", edit, { firefox: true })

const hurry = async (visit) => {
  for (const x of [1, 2, 3]) {
    await visit.paste(`${QUIET}x = ${x}\nreturn game\n`)
    await visit.chord("Control", "s") // at once
    await until("the edit", async () => (await visit.number("x")) === x)
  }
}
playing("edits of one size in the same second are all loaded", `${QUIET}return game`, hurry, {
  before: () => (Date.now = () => 1750000000000),
})

visiting("--check finds problems that the running game does not meet", async (visit) => {
  const spark = 'return require("spawnpool").class("Spark", { prealoc = 3 })\n'
  await visit.open(await linkOf({ "main.lua": `${QUIET}return game`, "pools/Spark.lua": spark }))
  assert.match(await visit.problem(), /^pools\/Spark\.lua:1: .*prealoc/)
  await visit.page.click("#problem")
  assert.equal(await visit.text("#path"), "pools/Spark.lua")
})

playing("an endless loop is stopped, and a fix continues with all objects", COUNTING, async (visit) => {
  await visit.paste(COUNTING.replace("turns = (turns or 0) + 1", "while true do end"))
  assert.match(await visit.problem(), /^main\.lua:4: stopped: it ran for more than 1\.5 s/)
  await visit.paste(COUNTING)
  await visit.isFine()
  await visit.grows("turns")
  assert.equal(await visit.lua("kept.alive"), "true")
})

const WAIT = "while not fixed do end"
const LONG = `if x then ${"elseif x then ".repeat(299500)}end\nreturn {}\n`
const fix = (visit) => visit.typeFirst("fixed = true\n")
const mendAll = (visit) => visit.paste(COUNTING)
for (const [name, main, stopped, mend, options] of [
  ["an endless main.lua", `${WAIT}\n${COUNTING}`, /:1: stopped: it ran for more than 1\.5 s/, fix],
  ["an endless load", COUNTING.replace("load()", `load() ${WAIT}`), /:3: stopped/, fix, { firefox: true }],
  ["a text that compiles for ever", LONG, /:1: compiling was stopped after 5 s/, mendAll, { before: patient }],
]) {
  const stop = async (visit) => {
    await visit.open(main)
    assert.match(await visit.problem(), stopped)
    await mend(visit)
    await until("the game runs", async () => (await visit.number("turns or 0")) > 5)
  }
  visiting(`${name} is stopped, and a fix starts the game`, stop, options)
}

playing("the editor completes, and undoes", "#game=cubes", async (visit) => {
  const before = await visit.code()
  await visit.typeFirst("x = tru")
  await until("a completion", () => visit.page.$("#editor >>> .cm-tooltip-autocomplete li[aria-selected]"))
  await visit.page.keyboard.type("e")
  const isOpen = () => visit.page.$("#editor >>> .cm-tooltip-autocomplete")
  await until("no completion of a whole word", async () => !(await isOpen()))
  await visit.page.keyboard.press("Enter")
  assert.match(await visit.code(), /^x = true\n/)
  await visit.typeFirst("spawnpool.pools:al")
  await until("a completion", () => visit.page.$("#editor >>> .cm-tooltip-autocomplete li[aria-selected]"))
  await until("alloc", async () => {
    await visit.page.keyboard.press("Enter") // ignored while the list is new
    return (await visit.code()).includes("pools:alloc")
  })
  for (let i = 0; i < 30 && (await visit.code()) !== before; i++) await visit.chord("Control", "z")
  assert.equal(await visit.code(), before)
})

const CRLF = `${QUIET}return game\n`.replaceAll("\n", "\r\n")
playing("an edit keeps the line ends of its file", CRLF, async (visit) => {
  await visit.typeFirst("x = 1\n")
  await visit.state("good")
  const { files } = await readLink(await visit.link())
  assert.deepEqual(files.get("main.lua"), bytes(`x = 1\r\n${CRLF}`))
})

const NUMBER = `${QUIET}local SPEED <const> = 260 -- drag this number
function game.update() speed = SPEED end\nreturn game`
const marked = (visit) => until("the marked number", () => visit.page.$("#editor >>> .marked"))

playing("a number that is dragged goes live with the button still down", NUMBER, async (visit) => {
  await visit.content
  await visit.dragFrom(await marked(visit), 60)
  await until("the game has it", async () => (await visit.number("speed")) === 410)
  await visit.page.mouse.up()
  assert.match(await visit.code(), /SPEED <const> = 410/)
})

const dragByFinger = async (visit) => {
  assert.match(await visit.text(".hero h1"), /Lua/)
  const { x, y } = await (await marked(visit)).boundingBox()
  const finger = await visit.page.touchscreen.touchStart(x + 5, y + 5)
  for (let i = 1; i <= 12; i++) await finger.move(x + 5 + 5 * i, y + 5)
  await finger.end()
  assert.match(await visit.code(), /SPEED <const> = 410/)
}
playing("a stranger drags the number of the first game by a finger", "", dragByFinger, { touch: true, width: 390 })
