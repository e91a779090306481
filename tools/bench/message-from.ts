import type { ChildProcess } from 'node:child_process'

/** The next message of a process that has this key; rejects when the process ends first. */
export function messageFrom<T extends object>(child: ChildProcess, holding: string & keyof T): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('a process of the benchmark ended too early'))
    const onMessage = (message: unknown) => {
      if (typeof message !== 'object' || message === null || !(holding in message)) return
      child.off('exit', onExit)
      child.off('message', onMessage)
      // Only the processes of the benchmark send messages here.
      resolve(message as T)
    }
    child.once('exit', onExit)
    child.on('message', onMessage)
  })
}

/** What a process that imports `use-report.ts` reports. */
type Used = {
  /** Its CPU time until now, in milliseconds. */
  cpuMs: number
  /** Its resident memory. */
  bytes: number
  /** The longest time its event loop was held since the last question, in milliseconds. */
  heldMs: number
}

export function usedBy(child: ChildProcess): Promise<Used> {
  child.send('used')
  return messageFrom<Used>(child, 'cpuMs')
}
