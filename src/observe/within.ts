/** Waits for a promise, but no longer than this. Returns whether it has resolved. */
export async function within(ms: number, done: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  return Promise.race([done.then(() => true), late]).finally(() => clearTimeout(timer))
}

/** Returns what `act` returns, or rejects when it is aborted, even if `act` ignores the signal. */
export async function unlessAborted<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([act(), aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
