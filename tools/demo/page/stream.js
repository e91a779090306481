const firstDelayMs = 400
const longestDelayMs = 4000

/**
 * A server-sent event stream that reconnects. It counts as connected from its first event, which the server
 * sends at once and which carries the whole state.
 *
 * @param {string} url
 * @param {readonly string[]} types
 * @param {(type: string, data: any) => void} onEvent
 * @param {(connected: boolean, attempts: number) => void} onState
 */
export function openStream(url, types, onEvent, onState) {
  /** @type {EventSource | undefined} */
  let source
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  let attempts = 0

  function connect() {
    clearTimeout(timer)
    source?.close()
    onState(false, attempts)
    source = new EventSource(url)
    for (const type of types) {
      source.addEventListener(type, (event) => {
        attempts = 0
        onState(true, 0)
        onEvent(type, JSON.parse(event.data))
      })
    }
    source.addEventListener('error', () => {
      source?.close()
      attempts += 1
      onState(false, attempts)
      timer = setTimeout(connect, Math.min(firstDelayMs * 2 ** (attempts - 1), longestDelayMs))
    })
  }

  connect()
  addEventListener('online', connect)
  return {
    close() {
      removeEventListener('online', connect)
      clearTimeout(timer)
      source?.close()
    },
  }
}

/** @typedef {ReturnType<typeof openStream>} Stream */
