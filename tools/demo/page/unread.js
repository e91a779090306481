/** @import { Newest } from '../api.ts' */

/** People with a message that has not been seen since the page was opened. */
export function createUnread() {
  /** @type {Newest} */
  let newest = {}
  /** The newest message of each chat when it was last seen. @type {Newest | undefined} */
  let seen

  return {
    /** Takes all newest messages; those at the opening of the page count as seen. @param {Newest} all */
    reset(all) {
      newest = all
      const known = seen ?? all
      // Numbers that went back mean that the server was restarted from scratch.
      seen = Object.fromEntries(Object.entries(known).map(([id, at]) => [id, Math.min(at, all[id] ?? 0)]))
    },
    /** @param {Newest} news */
    add(news) {
      newest = { ...newest, ...news }
    },
    /** @param {number} id of a person whose chat is shown */
    see(id) {
      if (seen && newest[id]) seen[id] = newest[id]
    },
    /** @param {number} id of a person */
    has: (id) => (newest[id] ?? 0) > (seen?.[id] ?? 0),
  }
}

/** @typedef {ReturnType<typeof createUnread>} Unread */
