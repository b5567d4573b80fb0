// Writes the service worker of a page that is built: node worker.mjs OUT. It has the names of all files, and a hash of
// them as the version.
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { transformSync } from "esbuild"

const out = process.argv[2]
const isFile = (path) =>
  /\.(js|css|html|svg|wasm|ttf|zip)$/.test(path) && !/^(docs|packed\/)|^(sw|spawnpool-game)\.js$/.test(path)
const files = readdirSync(out, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(join(out, "/").length))
  .filter(isFile)
  .sort()
const hash = createHash("sha256")
for (const path of files) hash.update(path).update(readFileSync(join(out, path)))
const isLater = (path) => path.startsWith("games/") && !/\/(first|new)\.zip$/.test(path)
const first = files.filter((path) => !isLater(path)).map((path) => (path === "index.html" ? "./" : path))
const define = {
  FILES: JSON.stringify(first),
  LATER: JSON.stringify(files.filter(isLater)),
  VERSION: JSON.stringify(hash.digest("hex").slice(0, 12)),
}
const source = readFileSync(new URL("src/worker.js", import.meta.url), "utf8")
writeFileSync(join(out, "sw.js"), transformSync(source, { define, minify: true }).code)
