/** @import { Newest } from '../api.ts' */

/** Who has got a message that nobody has looked at since the page was opened. */
export function createUnread() {
  /** @type {Newest} */
  let newest = {}
  /** The newest that was there when the chat was last looked at. @type {Newest | undefined} */
  let seen

  return {
    /** Everybody's newest message; what was there when the page was opened is not new. @param {Newest} all */
    reset(all) {
      newest = all
      const known = seen ?? all
      // numbers that went back are those of a server that began anew
      seen = Object.fromEntries(Object.entries(known).map(([id, at]) => [id, Math.min(at, all[id] ?? 0)]))
    },
    /** @param {Newest} news */
    add(news) {
      newest = { ...newest, ...news }
    },
    /** @param {number} id of a person whose chat is looked at */
    see(id) {
      if (seen && newest[id]) seen[id] = newest[id]
    },
    /** @param {number} id of a person */
    has: (id) => (newest[id] ?? 0) > (seen?.[id] ?? 0),
  }
}

/** @typedef {ReturnType<typeof createUnread>} Unread */
