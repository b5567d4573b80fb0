// A worker that checks games as `spawnpool --check` does, in an instance of its own: the game goes on meanwhile, and a
// check that hangs ends with its worker. In: { id, name, files }. Out: { id, problems }, or { id, failure }.
import { openPlayer } from "../../player.mjs"

let opening = null

async function check(name, files) {
  const player = await (opening ??= openPlayer({ base: new URL("./", self.location.href) }))
  const folder = `/games/${name}`
  for (const path of player.files("/games")) player.remove(path)
  for (const [path, bytes] of files) player.write(`${folder}/${path}`, bytes)
  return player.check(folder)
}

self.onmessage = async ({ data: { id, name, files } }) => {
  try {
    self.postMessage({ id, problems: await check(name, files) })
  } catch (error) {
    self.postMessage({ id, failure: String(error?.message ?? error) })
  }
}
