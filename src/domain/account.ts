import { z } from 'zod'
import { LANGUAGE_CODES, type Language } from '../texts/languages.ts'
import { consent } from './assignee.ts'
import { invitationLine, resultTo } from './invitation.ts'

/** Where a conversation waits: the plugin's own state, with its versions. */
export const keptTalk = z.object({
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
export type KeptTalk = z.infer<typeof keptTalk>

/** A released record or roadmap that this account asks for. */
const taking = z.object({
  s: z.string(),
  token: z.string(),
  /** What its link opens. */
  kind: z.enum(['record', 'roadmap']),
  /** One role of a roadmap that has an account of its own. */
  role: z.number().optional(),
  /** The invitation that led here: the mobile counts only as long as that is open. */
  code: z.string().optional(),
  /** Given for it here, where the one before has taken theirs along. */
  consent: consent.optional(),
})
export type Taking = z.infer<typeof taking>

/** The mobile that it is asked for with, and the messages that may still show it. */
const takes = z.object({ taking, mobile: z.string(), typed: z.array(z.number()) })
export type Takes = z.infer<typeof takes>

const kind = z.enum(['record', 'roadmap'])

/** What an organizer has asked the service for: what its answer is used for when it comes. */
const organizerAct = z.discriminatedUnion('act', [
  /** A page of a listing, for one of its screens; `chunk`: in place of the page that is there already. */
  z.object({
    act: z.literal('page'),
    listing: z.string(),
    /** Of the listing's search and filters, when it was asked for. */
    version: z.number(),
    screen: z.number(),
    chunk: z.number().optional(),
    /** How many there are, where it lists a group. */
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
  /** A result that was not finished here. */
  z.object({ act: z.literal('send'), kind, token: z.string() }),
  /** A UUID that was searched for: what it is, or failing that whose profile. */
  z.object({ act: z.literal('seek'), kind, token: z.string() }),
  /** Words that no dialog waited for. */
  z.object({ act: z.literal('search'), text: z.string() }),
  invitationLine.extend({ act: z.literal('invite'), role: z.number().optional() }),
])
export type OrganizerAct = z.infer<typeof organizerAct>

/** A call to the service whose outcome has not come yet. */
const pendingCall = z.object({
  id: z.string(),
  kind: z.string(),
  at: z.number(),
  /** What an organizer wants it for. */
  act: organizerAct.optional(),
  /** What is taken over where the mobile is the right one. */
  takes: takes.optional(),
})

/** What is kept about one Telegram account, beside the files of what it has begun. */
export const account = z.object({
  chatId: z.number(),
  language: z.enum(LANGUAGE_CODES).optional(),
  /** The language of this person's Telegram, where the bot speaks it and it is not the default one. */
  appLanguage: z.enum(LANGUAGE_CODES).optional(),
  /** The language of this person's Telegram is not the bot's default one. */
  isForeign: z.literal(true).optional(),
  /** The record or roadmap that the chat is about now. */
  focus: z.string().optional(),
  /** Everything this account has opened, the newest last. */
  items: z.array(z.string()),
  /** The message that asked last: buttons of a dialog count only there. */
  asked: z.number().optional(),
  /**
   * The message that asks for a detail, for which one, and of which role; `ask` is `begin` at the introduction,
   * `left` once it has left the chat. `since`: the one that has asked for this person first, where another person, or another
   * test, was asked about before.
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
  /** The message that shows the questionnaire, the board, or that it is not open yet, by record id. */
  screens: z.record(z.string(), z.number()),
  /** The record id of the board that shows a button for each test. */
  unfolded: z.string().optional(),
  /** What was said above the question that is shown, at which revision, or the typed option that it asks about. */
  said: z
    .object({
      s: z.string(),
      revision: z.number(),
      word: z.string().optional(),
      option: z.number().optional(),
    })
    .optional(),
  /** What stands above a question, by record id. `messages`: its own pictures, which go with it. */
  pictures: z
    .record(
      z.string(),
      z.object({
        position: z.number(),
        messages: z.array(z.number()),
        /** Where sections begin whose own pictures stand in the chat, and stay. */
        sections: z.array(z.number()).optional(),
        /** All that was sent along with the question, above the message with its buttons: these pictures, too. */
        parts: z.array(z.number()).optional(),
      }),
    )
    .optional(),
  /** What was written at an introduction: it goes with the details that are typed after it. */
  typed: z.array(z.number()).optional(),
  /** What it was told is not open yet, by record id: it hears of the opening. */
  awaits: z.array(z.string()).optional(),
  /** What was said last about a message that nobody waited for. */
  here: z.number().optional(),
  /** A keyboard for sharing the own number is under the input. */
  contactKeyboard: z.literal(true).optional(),
  /** Calls to the service whose outcome has not come yet, by record id. */
  pending: z.record(z.string(), pendingCall),
  /** Invitations that were opened: the code, by the record id of what it opens. */
  invited: z.record(z.string(), z.string()).optional(),
  /** The links by which somebody who may agree for a minor is asked: the code, by record id and, of a roadmap, role. */
  guardianLinks: z.record(z.string(), z.string()).optional(),
  /** Who receives the result as the introduction said it, by record id. */
  invitedTo: z.record(z.string(), resultTo).optional(),
  /** External ids of links that were opened and not begun yet, by record id: each account has its own. */
  externalIds: z.record(z.string(), z.number()).optional(),
  /** Where a conversation beside the dialog waits: for lines, an external id, the mobile of a take-over, a question. */
  aside: keptTalk.optional(),
  /** Words that were no answer, beside the button that sends them to a person; in a test at which revision. */
  words: z
    .object({
      s: z.string(),
      text: z.string(),
      messageId: z.number().optional(),
      revision: z.number().optional(),
    })
    .optional(),
  /** What was asked of the organizers, as long as it is kept. */
  questions: z.array(z.object({ id: z.string(), at: z.number() })).optional(),
  /** An organizer's name in Telegram, for the other organizers. */
  calledAs: z.string().optional(),
  /** The newest message of the chat: what stands above it has scrolled away. */
  latest: z.number().optional(),
  /** The newest message that a yes, a no or «ادامه» can be for, without what jobs have sent. */
  ours: z.number().optional(),
  /** The buttons that were pressed last, the newest last: each acts once. */
  pressed: z.array(z.object({ message: z.number(), data: z.string(), at: z.number() })).optional(),
  /**
   * Where the chat has last shown a questionnaire, at which revision, and when by Telegram's own clock. `others`: the revisions
   * of the other ones then; where one of them is another now, taps have gone on with it.
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
  /** About when the participant was last here. */
  activeAt: z.number().optional(),
  /** When something was recalled to it last. */
  remindedAt: z.number().optional(),
  /** Large text: one option a row, nothing folded. */
  isLarge: z.literal(true).optional(),
  /** The hour of the day in Tehran at which this person wants to be reminded. */
  remindHour: z.number().optional(),
  /** What was typed last, for the next time. `birth`: an ISO date. */
  details: z
    .object({ name: z.string(), birth: z.string(), gender: z.enum(['male', 'female']), mobile: z.string() })
    .optional(),
  /** The participant wants no reminders. */
  noReminders: z.literal(true).optional(),
  /** The message that asked whether everything is to be deleted: a forged button elsewhere deletes nothing. */
  asksForget: z.number().optional(),
  blocked: z.literal(true).optional(),
  /** A result has come to this account: it is kept until /forget, so that the result can be had again. */
  hasResult: z.literal(true).optional(),
})
export type Account = z.infer<typeof account>

export const newAccount = (chatId: number): Account => ({ chatId, items: [], screens: {}, pending: {} })

/** The language of a chat: the one that was chosen, else that of the person's Telegram, else the default one. */
export const languageOf = (
  known: Pick<Account, 'language' | 'appLanguage'> | undefined,
  { locale }: { locale: Language },
): Language => known?.language ?? known?.appLanguage ?? locale
