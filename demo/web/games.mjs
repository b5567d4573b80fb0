// Copies games for a page: node games.mjs TO FOLDER... A page fetches a game when it is chosen, file by file;
// games.json lists them: [{ name, about, files: [{ path, size }] }].
import fs from "node:fs"
import path from "node:path"

const [to, ...folders] = process.argv.slice(2)

function filesOf(folder, inside = "") {
  const found = fs.readdirSync(path.join(folder, inside), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  return found.flatMap((entry) => {
    const name = path.posix.join(inside, entry.name)
    if (entry.name.startsWith(".")) return []
    if (entry.isDirectory()) return filesOf(folder, name)
    return [{ path: name, size: fs.statSync(path.join(folder, name)).size }]
  })
}

// The first sentence of the comment that begins main.lua: "-- NAME: what it is. More."
function aboutOf(folder) {
  const head = /^(?:--.*\n)+/.exec(fs.readFileSync(path.join(folder, "main.lua"), "utf8"))?.[0] ?? ""
  return /: ([^.?!]*[.?!])/.exec(head.replace(/\n?-- ?/g, " "))?.[1] ?? ""
}

const games = folders.map((folder) => {
  const name = path.basename(folder)
  fs.rmSync(path.join(to, name), { recursive: true, force: true })
  fs.cpSync(folder, path.join(to, name), { recursive: true, filter: (from) => !path.basename(from).startsWith(".") })
  return { name, about: aboutOf(folder), files: filesOf(folder) }
})
fs.writeFileSync(path.join(to, "games.json"), JSON.stringify(games, null, 1) + "\n")
