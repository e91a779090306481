/** How long Telegram waits for a bot to answer a tap. */
const longestSpinMs = 15_000

/**
 * The pressed buttons that wait for the bot's answer.
 *
 * @param {(messageId: number, row: number, column: number) => Promise<{ callbackId: string }>} send
 * @param {(messageId: number) => void} changed called when a button starts or stops spinning
 * @param {(error: unknown) => void} failed
 */
export function createTaps(send, changed, failed) {
  /** @type {Map<string, string>} button → callback id, empty until the server has named it */
  const waiting = new Map()
  /** Answers can arrive before the response that names their callback. @type {Set<string>} */
  const early = new Set()
  const key = (/** @type {number[]} */ ...place) => place.join(':')

  /** @param {string} button @param {string} [callbackId] */
  function stop(button, callbackId) {
    if (!waiting.has(button) || (callbackId && waiting.get(button) !== callbackId)) return
    waiting.delete(button)
    changed(Number.parseInt(button, 10))
  }

  return {
    /** @param {number} messageId @param {number} row @param {number} column */
    spins: (messageId, row, column) => waiting.has(key(messageId, row, column)),
    /** @param {number} messageId @param {number} row @param {number} column */
    async tap(messageId, row, column) {
      const button = key(messageId, row, column)
      if (waiting.has(button)) return
      waiting.set(button, '')
      changed(messageId)
      try {
        const { callbackId } = await send(messageId, row, column)
        if (early.delete(callbackId)) return stop(button)
        waiting.set(button, callbackId)
        setTimeout(() => stop(button, callbackId), longestSpinMs)
      } catch (error) {
        stop(button)
        failed(error)
      }
    },
    /** @param {string} callbackId */
    answered(callbackId) {
      const button = [...waiting].find(([, id]) => id === callbackId)?.[0]
      if (button) stop(button)
      else early.add(callbackId)
    },
    /** The keyboard was replaced: no button of this message spins now. @param {number} messageId */
    forget(messageId) {
      for (const button of waiting.keys()) if (button.startsWith(`${messageId}:`)) waiting.delete(button)
    },
  }
}

/** @typedef {ReturnType<typeof createTaps>} Taps */
