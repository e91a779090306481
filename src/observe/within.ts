/** Waits until something is done, but no longer than this. Whether it is. */
export async function within(ms: number, done: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  return Promise.race([done.then(() => true), late]).finally(() => clearTimeout(timer))
}

/** What is done, or the reason for which it was aborted: also where it does not listen to the signal. */
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
