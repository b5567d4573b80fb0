// The list of the game's files: those that the editor opens, by folder. A dot marks edited files, a number their
// problems.
export class FileList {
  #host
  #onOpen

  constructor(host, onOpen) {
    this.#host = host
    this.#onOpen = onOpen
  }

  #row(path, project, problems, open) {
    const row = document.createElement("button"),
      name = document.createElement("span")
    row.dataset.path = path
    name.textContent = path.split("/").at(-1)
    row.append(name)
    row.classList.toggle("changed", project.isChanged(path))
    row.setAttribute("aria-current", String(path === open))
    row.title = project.isChanged(path) ? `${path}: edited` : path
    const count = problems.of(path).length
    if (count > 0) {
      const badge = document.createElement("em")
      badge.textContent = count
      row.append(badge)
    }
    row.onclick = () => this.#onOpen(path)
    return row
  }

  show(project, problems, open) {
    const rows = []
    let folder = ""
    for (const path of project.sources()) {
      const its = path.slice(0, path.lastIndexOf("/") + 1)
      if (its !== folder) {
        const title = document.createElement("div")
        title.className = "folder"
        title.textContent = its
        rows.push(title)
        folder = its
      }
      rows.push(this.#row(path, project, problems, open))
    }
    this.#host.replaceChildren(...rows)
  }
}
