export type Alongside = ReturnType<typeof createAlongside>

/** Telegram calls that run while the update goes on; calls about the same message run in order. */
export function createAlongside() {
  const latest = new Map<number, Promise<unknown>>()
  const all: Promise<unknown>[] = []

  function begin(doing: Promise<unknown>, messageIds: readonly number[]): void {
    // `ended` reports the failure.
    doing.catch(() => undefined)
    all.push(doing)
    for (const id of messageIds) latest.set(id, doing)
  }

  return {
    /** Starts a call whose result is not used. */
    does(act: () => Promise<unknown>): void {
      begin(act(), [])
    },
    /** Changes a message after the earlier calls about it. */
    changes(messageId: number, act: () => Promise<unknown>): void {
      begin((latest.get(messageId) ?? Promise.resolve()).then(act), [messageId])
    },
    /** Deletes messages after all earlier calls: an edit that explains the deletion comes first. */
    deletes(messageIds: readonly number[], act: () => Promise<unknown>): void {
      begin(Promise.all(all).then(act), messageIds)
    },
    /** Waits for the latest call about a message. */
    until: async (messageId: number): Promise<void> => void (await latest.get(messageId)),
    /** Waits for all calls, and throws the first failure. */
    async ended(): Promise<void> {
      const failed = (await Promise.allSettled(all)).find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
    },
  }
}
