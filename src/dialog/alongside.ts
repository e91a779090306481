export type Alongside = ReturnType<typeof createAlongside>

/** What Telegram does while an update goes on with what its chat waits for; of one message one thing after the other. */
export function createAlongside() {
  const latest = new Map<number, Promise<unknown>>()
  const all: Promise<unknown>[] = []

  function begin(doing: Promise<unknown>, messageIds: readonly number[]): void {
    // It is heard of at the end.
    doing.catch(() => undefined)
    all.push(doing)
    for (const id of messageIds) latest.set(id, doing)
  }

  return {
    /** Does something that nothing is read from. */
    does(act: () => Promise<unknown>): void {
      begin(act(), [])
    },
    /** Changes a message when what was begun with it has come to its end. */
    changes(messageId: number, act: () => Promise<unknown>): void {
      begin((latest.get(messageId) ?? Promise.resolve()).then(act), [messageId])
    },
    /** Deletes messages when everything begun has come to its end: what is said about that in the place of another stands there first. */
    deletes(messageIds: readonly number[], act: () => Promise<unknown>): void {
      begin(Promise.all(all).then(act), messageIds)
    },
    /** Waits for what was begun with a message. */
    until: async (messageId: number): Promise<void> => void (await latest.get(messageId)),
    /** Waits for everything; throws what the first of it that failed has thrown. */
    async ended(): Promise<void> {
      const failed = (await Promise.allSettled(all)).find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
    },
  }
}
