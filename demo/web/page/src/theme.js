// Light and dark: the system's choice, until a person chooses. A browser that refuses storage forgets the choice.
const KEY = "spawnpool.theme"

function read() {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

function write(theme) {
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // It lasts until the page closes.
  }
}

const systemIsDark = () => matchMedia("(prefers-color-scheme: dark)").matches

export function startTheme(button) {
  const root = document.documentElement
  const chosen = read()
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen
  button.onclick = () => {
    const dark = (root.dataset.theme ?? (systemIsDark() ? "dark" : "light")) === "dark"
    root.dataset.theme = dark ? "light" : "dark"
    write(root.dataset.theme)
  }
}
