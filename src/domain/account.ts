import { z } from 'zod'
import { LANGUAGE_CODES, type Language } from '../texts/languages.ts'
import { consent } from './assignee.ts'
import { invitationLine, resultTo } from './invitation.ts'

/** The replay state of a waiting conversation, as the conversations plugin stores it, with its versions. */
export const storedConversation = z.object({
  version: z.tuple([z.literal(0), z.union([z.string(), z.number()])]),
  state: z.record(
    z.string(),
    z.array(
      z.object({
        args: z.exactOptional(z.string()),
        interrupts: z.array(z.number()),
        replay: z.object({
          send: z.array(z.object({ payload: z.string() })),
          receive: z.array(z.object({ send: z.number(), returnValue: z.unknown() })),
        }),
      }),
    ),
  ),
})
export type StoredConversation = z.infer<typeof storedConversation>

/** A released record or roadmap that this account wants to take over. */
const taking = z.object({
  s: z.string(),
  token: z.string(),
  kind: z.enum(['record', 'roadmap']),
  /** The role, when it is assigned to an account separately from its roadmap. */
  role: z.number().optional(),
  /** The invitation that led here. The mobile is accepted only while this invitation is open. */
  code: z.string().optional(),
  /** Consent of this account, given when the earlier account's consent is no longer kept. */
  consent: consent.optional(),
})
export type Taking = z.infer<typeof taking>

/** A take-over with the typed mobile, and the messages that may still show that mobile. */
const takes = z.object({ taking, mobile: z.string(), typed: z.array(z.number()) })
export type Takes = z.infer<typeof takes>

const kind = z.enum(['record', 'roadmap'])

/** The purpose of an organizer's call to the service. It decides how the answer is used. */
const organizerAct = z.discriminatedUnion('act', [
  /** A page of a listing for one of its screens. */
  z.object({
    act: z.literal('page'),
    listing: z.string(),
    /** The version of the listing's search and filters at the time of the call. */
    version: z.number(),
    screen: z.number(),
    /** The number of items, when the listing shows a group. */
    count: z.number().optional(),
    messageId: z.number().optional(),
  }),
  z.object({
    act: z.literal('card'),
    kind,
    token: z.string(),
    messageId: z.number().optional(),
    screen: z.number().optional(),
  }),
  /** The result of a test that was not finished here. */
  z.object({ act: z.literal('send'), kind, token: z.string() }),
  /** A search for a UUID: a record or roadmap, or failing that a profile. */
  z.object({ act: z.literal('seek'), kind, token: z.string() }),
  /** A search for a text that no dialog had asked for. */
  z.object({ act: z.literal('search'), text: z.string() }),
  invitationLine.extend({ act: z.literal('invite'), role: z.number().optional() }),
])
export type OrganizerAct = z.infer<typeof organizerAct>

/** A call to the service whose outcome has not come yet. */
const pendingCall = z.object({
  id: z.string(),
  kind: z.string(),
  at: z.number(),
  act: organizerAct.optional(),
  /** The take-over that follows if the mobile is right. */
  takes: takes.optional(),
})

/** The stored state of one Telegram account. Its records are stored in files of their own. */
export const account = z.object({
  chatId: z.number(),
  language: z.enum(LANGUAGE_CODES).optional(),
  /** The language of this person's Telegram, if the bot speaks it and it is not the default language. */
  appLanguage: z.enum(LANGUAGE_CODES).optional(),
  /** The language of this person's Telegram is not the bot's default language. */
  isForeign: z.literal(true).optional(),
  /** The record or roadmap that the chat is about now. */
  focus: z.string().optional(),
  /** Everything this account has opened, the newest last. */
  items: z.array(z.string()),
  /** The newest message that asks something. Buttons of a dialog count only on this message. */
  asked: z.number().optional(),
  /**
   * The message that asks for a detail, with the detail and the role. `ask` is `begin` at the introduction
   * and `left` once the message has left the chat. `since`: the first message that asked about this person,
   * if the chat asked about another person or another test before.
   */
  detail: z
    .object({
      s: z.string(),
      ask: z.string(),
      messageId: z.number(),
      role: z.number().optional(),
      since: z.number().optional(),
    })
    .optional(),
  /** The message that shows the questionnaire, the board, or the "not open yet" notice, by record id. */
  screens: z.record(z.string(), z.number()),
  /** The record id of the board that shows a button for each test. */
  unfolded: z.string().optional(),
  /** The remark above the shown question with its revision, or the typed option that it asks about. */
  said: z
    .object({
      s: z.string(),
      revision: z.number(),
      word: z.string().optional(),
      option: z.number().optional(),
    })
    .optional(),
  /** Messages above a question, by record id. `messages`: the question's own pictures, deleted with it. */
  pictures: z
    .record(
      z.string(),
      z.object({
        position: z.number(),
        messages: z.array(z.number()),
        /** Positions where sections begin whose pictures are in the chat. These pictures stay there. */
        sections: z.array(z.number()).optional(),
      }),
    )
    .optional(),
  /** Messages typed at an introduction. They are deleted with the details that are typed later. */
  typed: z.array(z.number()).optional(),
  /** Record ids that were reported as not open yet. The account is notified when they open. */
  awaits: z.array(z.string()).optional(),
  /** The newest reply of the kind that the next such reply replaces. */
  here: z.number().optional(),
  /** The keyboard for sharing the participant's own number is shown. */
  contactKeyboard: z.literal(true).optional(),
  /** Calls to the service whose outcome has not come yet, by record id. */
  pending: z.record(z.string(), pendingCall),
  /** The codes of opened invitations, by the record id of what each opens. */
  invited: z.record(z.string(), z.string()).optional(),
  /** The codes of links that ask a guardian to agree for a minor, by record id and, in a roadmap, role. */
  guardianLinks: z.record(z.string(), z.string()).optional(),
  /** Who receives the result according to the introduction, by record id. */
  invitedTo: z.record(z.string(), resultTo).optional(),
  /** External ids from opened links that are not begun yet, by record id. Each account has its own. */
  externalIds: z.record(z.string(), z.number()).optional(),
  /** A conversation beside the dialog: for lines, an external id, a take-over's mobile, a question. */
  aside: storedConversation.optional(),
  /** Words that were no answer, beside the button that sends them to a person; with a test's revision. */
  words: z
    .object({
      s: z.string(),
      text: z.string(),
      messageId: z.number().optional(),
      revision: z.number().optional(),
    })
    .optional(),
  /** Questions sent to the organizers, as long as they are kept. */
  questions: z.array(z.object({ id: z.string(), at: z.number() })).optional(),
  /** An organizer's name in Telegram, for the other organizers. */
  calledAs: z.string().optional(),
  /** The newest message of the chat. Everything above it has scrolled away. */
  latest: z.number().optional(),
  /** The newest message that a yes, a no or «ادامه» can answer. Messages sent by jobs do not count. */
  ours: z.number().optional(),
  /** The buttons that were pressed last, the newest last. Each press acts once. */
  pressed: z.array(z.object({ message: z.number(), data: z.string(), at: z.number() })).optional(),
  /**
   * The questionnaire message shown last, its revision, and its date by Telegram's clock. `others`: the
   * revisions of the other attempts then. If one of them has changed since, taps have gone on with that
   * attempt.
   */
  shown: z
    .object({
      s: z.string(),
      revision: z.number(),
      messageId: z.number(),
      dated: z.object({ date: z.number(), isNew: z.boolean() }).optional(),
      others: z.record(z.string(), z.number()),
    })
    .optional(),
  /** The approximate time of the participant's last activity. */
  activeAt: z.number().optional(),
  /** The time of the last reminder. */
  remindedAt: z.number().optional(),
  /** Large text: one option a row, nothing folded. */
  isLarge: z.literal(true).optional(),
  /** The hour of the day in Tehran at which this person wants to be reminded. */
  remindHour: z.number().optional(),
  /** The details that were typed last, offered the next time. `birth`: an ISO date. */
  details: z
    .object({ name: z.string(), birth: z.string(), gender: z.enum(['male', 'female']), mobile: z.string() })
    .optional(),
  /** The participant wants no reminders. */
  noReminders: z.literal(true).optional(),
  /** The message that asked whether to delete everything. A forged button elsewhere deletes nothing. */
  asksForget: z.number().optional(),
  blocked: z.literal(true).optional(),
  /** This account has received a result. It is kept until /forget, so that the result can be sent again. */
  hasResult: z.literal(true).optional(),
})
export type Account = z.infer<typeof account>

export const newAccount = (chatId: number): Account => ({ chatId, items: [], screens: {}, pending: {} })

/** The language of a chat: the chosen one, else the language of the person's Telegram, else the default. */
export const languageOf = (
  known: Pick<Account, 'language' | 'appLanguage'> | undefined,
  { locale }: { locale: Language },
): Language => known?.language ?? known?.appLanguage ?? locale
