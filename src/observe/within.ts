/** Waits until something is done, but no longer than this. Whether it is. */
export async function within(ms: number, done: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  return Promise.race([done.then(() => true), late]).finally(() => clearTimeout(timer))
}
