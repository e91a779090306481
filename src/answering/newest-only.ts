type Drawing = { run: () => Promise<unknown>; resolve: () => void; reject: (error: unknown) => void }

/**
 * Keeps the drawings of one screen in order: while one is on its way, only the newest of those that came since waits,
 * so that a slow network never shows an older question after a newer one.
 */
export function createNewestOnly() {
  const lines = new Map<string, { waiting: Drawing | undefined }>()

  async function draw(screen: string, first: Drawing): Promise<void> {
    const line: { waiting: Drawing | undefined } = { waiting: undefined }
    lines.set(screen, line)
    let current: Drawing | undefined = first
    while (current) {
      await current.run().then(current.resolve, current.reject)
      current = line.waiting
      line.waiting = undefined
    }
    lines.delete(screen)
  }

  return (screen: string, run: () => Promise<unknown>): Promise<void> =>
    new Promise((resolve, reject) => {
      const drawing = { run, resolve, reject }
      const line = lines.get(screen)
      if (!line) return void draw(screen, drawing)
      line.waiting?.resolve()
      line.waiting = drawing
    })
}
