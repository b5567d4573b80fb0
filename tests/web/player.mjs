// The player of a page without the page, under node: node --test player.mjs, with SP_WEB, the folder of `make web`.
import assert from "node:assert/strict"
import path from "node:path"
import test from "node:test"
import { pathToFileURL } from "node:url"

const base = pathToFileURL(path.resolve(process.env.SP_WEB ?? "build/web") + "/")
const { openPlayer } = await import(new URL("player.mjs", base))

test("edits of one size in the same second are all loaded", async () => {
  const printed = []
  const player = await openPlayer({ base, onReport: ({ kind, text }) => kind === "print" && printed.push(text) })
  const text = (x) => `return { update = function() x = ${x} end }`
  player.write("/games/tiny/main.lua", text(1))
  await player.play("/games/tiny", ["--headless"])
  while (player.figure("frame") < 5) player.frame()
  for (const x of [2, 3, 4]) {
    assert.equal((await player.edit("/games/tiny/main.lua", text(x))).result, "reloaded")
    player.frame()
    player.eval("x")
  }
  assert.deepEqual(printed, ["2", "3", "4"])
  player.end()
})
