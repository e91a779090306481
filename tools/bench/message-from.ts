import type { ChildProcess } from 'node:child_process'

/** The next message of a process; rejects when it ends without one, so that nobody waits for ever. */
export function messageFrom<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('a process of the benchmark ended too early'))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      // What the benchmark's own processes say to each other.
      resolve(message as T)
    })
  })
}
