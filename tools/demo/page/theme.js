const storedAs = 'porsa-demo-theme'

/** Light or dark by the system's setting, until the visitor chooses; this browser stores the choice. */
export function createTheme() {
  const root = document.documentElement
  const system = matchMedia('(prefers-color-scheme: dark)')
  const stored = localStorage.getItem(storedAs)
  if (stored === 'light' || stored === 'dark') root.dataset.theme = stored
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : system.matches)

  return {
    isDark,
    toggle() {
      root.dataset.theme = isDark() ? 'light' : 'dark'
      localStorage.setItem(storedAs, root.dataset.theme)
    },
    /** @param {() => void} listener */
    onSystemChange: (listener) => system.addEventListener('change', listener),
  }
}

/** @typedef {ReturnType<typeof createTheme>} Theme */
