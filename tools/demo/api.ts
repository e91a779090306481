/**
 * The demo page's HTTP and SSE interface, all under `/api`: types only, shared by the server and the page.
 *
 * | method and path | body | answer |
 * | --- | --- | --- |
 * | `GET /api/people` | | `Person[]`, in the order they were added |
 * | `POST /api/people` | `NewPerson` | 201 `Person` |
 * | `GET /api/people/:id/events` | | SSE of `ChatEvents`; the first event is `chat`, again after every reconnect |
 * | `POST /api/people/:id/start` | `{payload?}` | 204; presses START or follows a deep link (unblocks if blocked) |
 * | `POST /api/people/:id/say` | `{text, replyTo?}` | 201 `{messageId}`; also what a reply keyboard's plain button sends |
 * | `POST /api/people/:id/edit` | `{messageId, text}` | 204; edits one of the person's own messages |
 * | `POST /api/people/:id/tap` | `{messageId, row, column}` | 200 `{callbackId}`; an `answer` event follows or nothing does (spin ≤ 15 s) |
 * | `POST /api/people/:id/contact` | `{messageId?, own?, phone?, firstName?}` | 201 `{messageId}`; without `own: false` it is the person's own contact |
 * | `POST /api/people/:id/file` | `{kind: FileKind}` | 201 `{messageId}`; a small file that the bot did not ask for |
 * | `POST /api/people/:id/forward` | `{messageId, to}` | 204; a copy goes to another person, outside of the bot's chat |
 * | `POST /api/people/:id/share` | `{text, to}` | 204; shares a text, as a link to `t.me/share/url` does |
 * | `POST /api/people/:id/dismiss` | `{messageId}` | 204; dismisses a message from another person |
 * | `POST /api/people/:id/block`, `/unblock` | | 204 |
 * | `GET /api/people/:id/files/:fileId` | | the bytes, with content type and file name; `?download` asks for an attachment |
 * | `GET /api/invitations` | | `Invitation[]`, one per kind of test |
 * | `POST /api/invitations/open` | `{payload}` | 204; a waiting invitation becomes ready, as if the organizer had opened it |
 * | `GET /api/sms` | | `Sms[]`, newest first |
 * | `GET /api/events` | | SSE of `PageEvents`; the first event is `all`, again after every reconnect |
 *
 * Failures are `{error: string}` with 400 (bad body, no such button), 403 (wrong Host or Origin; the bot is
 * blocked; the message is protected), 404 (no such person, message, file or invitation). Ids of people and messages are
 * numbers; messages are numbered within the bot, so a chat's ids grow but have gaps. Times are milliseconds since 1970.
 * Every SSE `data` is one JSON value; a comment line every 15 s keeps the connection.
 */

export type * from '../emulator/chat.ts'

/**
 * A ready invitation: `payload` goes to `/start`, `link` is the link that an organizer would send, and `kind`
 * describes the test in a few words.
 */
export type Invitation = {
  title: string
  kind: string
  kindInEnglish?: string
  link: string
  payload: string
  /** The organizer has not opened it yet; until then the service does not let anyone begin. */
  waiting?: true
  /** The first name of the person who followed it first; no other person can continue that attempt. */
  openedBy?: string
}

/** A code the testing service has "sent". */
export type Sms = { mobile: string; code: string; at: number }

/** The id of each person's newest message from the bot or from another person, by person. */
export type Newest = Record<string, number>

/** Events of `/api/events`, about all people, and the JSON that each carries. */
export type PageEvents = {
  /** SMS newest first, and the newest message of each person who has one. */
  all: { sms: Sms[]; newest: Newest }
  sms: Sms
  /** The newest message of each person who has just got one. */
  newest: Newest
}
