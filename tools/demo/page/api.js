/** @import { Invitation, NewPerson, Person, FileKind } from '../api.ts' */

/** The server refused (`status` says why) or did not answer (`status` 0). */
export class ApiError extends Error {
  /** @param {number} status @param {string} message @param {unknown} [cause] */
  constructor(status, message, cause) {
    super(message, { cause })
    this.status = status
  }
}

/**
 * One function for each call of the demo's interface (see `api.ts`).
 *
 * @param {typeof fetch} [fetcher]
 */
export function createApi(fetcher = (...input) => fetch(...input)) {
  /** @param {string} path @param {unknown} [body] makes it a POST */
  async function call(path, body) {
    const init =
      body === undefined
        ? {}
        : {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }
    const response = await fetcher(`/api${path}`, init).catch((error) => {
      throw new ApiError(0, 'no answer', error)
    })
    if (!response.ok) {
      const failure = await response.json().catch(() => ({}))
      throw new ApiError(response.status, failure.error ?? response.statusText)
    }
    return response.status === 204 ? undefined : response.json()
  }

  return {
    /** @returns {Promise<Person[]>} */
    people: () => call('/people'),
    /** @param {NewPerson} person @returns {Promise<Person>} */
    addPerson: (person) => call('/people', person),
    /** @returns {Promise<Invitation[]>} */
    invitations: () => call('/invitations'),
    /** @param {string} payload */
    openInvitation: (payload) => call('/invitations/open', { payload }),

    /** The actions of one person in the chat. @param {number} id */
    chat: (id) => ({
      /** @param {string} [payload] */
      start: (payload) => call(`/people/${id}/start`, payload ? { payload } : {}),
      /** @param {string} text @param {number} [replyTo] @returns {Promise<{ messageId: number }>} */
      say: (text, replyTo) => call(`/people/${id}/say`, { text, replyTo }),
      /** @param {number} messageId @param {string} text */
      edit: (messageId, text) => call(`/people/${id}/edit`, { messageId, text }),
      /** @param {number} messageId @param {number} row @param {number} column @returns {Promise<{ callbackId: string }>} */
      tap: (messageId, row, column) => call(`/people/${id}/tap`, { messageId, row, column }),
      /** @param {{ messageId?: number, own?: boolean, phone?: string, firstName?: string }} contact */
      contact: (contact) => call(`/people/${id}/contact`, contact),
      /** @param {FileKind} kind */
      file: (kind) => call(`/people/${id}/file`, { kind }),
      /** @param {number} messageId @param {number} to another person */
      forward: (messageId, to) => call(`/people/${id}/forward`, { messageId, to }),
      /** @param {string} text @param {number} to another person */
      share: (text, to) => call(`/people/${id}/share`, { text, to }),
      /** @param {number} messageId of a message from another person */
      dismiss: (messageId) => call(`/people/${id}/dismiss`, { messageId }),
      block: () => call(`/people/${id}/block`, {}),
      unblock: () => call(`/people/${id}/unblock`, {}),
      /** @param {string} fileId */
      fileUrl: (fileId) => `/api/people/${id}/files/${encodeURIComponent(fileId)}`,
      eventsUrl: `/api/people/${id}/events`,
    }),
  }
}

/** @typedef {ReturnType<typeof createApi>} Api */
/** @typedef {ReturnType<Api['chat']>} ChatApi */
