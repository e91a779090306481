import type { ChildProcess } from 'node:child_process'

/** The next message of a process that holds this; rejects when it ends without one, so that nobody waits for ever. */
export function messageFrom<T extends object>(child: ChildProcess, holding: string & keyof T): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('a process of the benchmark ended too early'))
    const onMessage = (message: unknown) => {
      if (typeof message !== 'object' || message === null || !(holding in message)) return
      child.off('exit', onExit)
      child.off('message', onMessage)
      // What the benchmark's own processes say to each other.
      resolve(message as T)
    }
    child.once('exit', onExit)
    child.on('message', onMessage)
  })
}

/** What a process uses which imports `use-report.ts`. */
type Used = {
  /** Its CPU time until now, in milliseconds. */
  cpuMs: number
  /** Its resident memory. */
  bytes: number
  /** How long its event loop was held at most since this was asked last, in milliseconds. */
  heldMs: number
}

export function usedBy(child: ChildProcess): Promise<Used> {
  child.send('used')
  return messageFrom<Used>(child, 'cpuMs')
}
