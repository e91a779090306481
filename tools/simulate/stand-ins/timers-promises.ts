// Stands in for `node:timers/promises`: the same over the timers of the process, which are the simulation's.

type Options = { signal?: AbortSignal }

export function setTimeout<T>(ms = 0, value?: T, { signal }: Options = {}): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      globalThis.clearTimeout(timer)
      reject(new DOMException('The operation was aborted', 'AbortError'))
    }
    const timer = globalThis.setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve(value)
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

export const setImmediate = <T>(value?: T): Promise<T | undefined> =>
  new Promise((resolve) => globalThis.setImmediate(() => resolve(value)))
