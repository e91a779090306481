import type { Conversation, ConversationFlavor } from '@grammyjs/conversations'
import type { Context } from 'grammy'
import type { Contact } from 'grammy/types'
import type { Config } from '../config.ts'
import type { Person } from '../domain/profile.ts'
import { isIn } from '../domain/record/record.ts'
import { buttons } from '../views/buttons.ts'
import { keepView } from '../views/profile.ts'
import type { View } from '../views/view.ts'
import { askedLast, namedButton, noteAsksElse, saidButton } from './asked-last.ts'
import type { Due, Entry, Lines } from './due.ts'
import type { IncomingContext } from './incoming.ts'
import { replaceNotice } from './send.ts'
import { askDetail, closeDetail } from './typed-messages.ts'

/** The context around a conversation: the question that this update asks or answers. */
export type DialogContext = ConversationFlavor<IncomingContext> & {
  dialog: Exclude<Due, { show: 'place' }> & {
    /** An error thrown outside of the conversation, whose log would not keep it intact. */
    thrown?: { error: unknown }
  }
}

/** What a step sees outside of its conversation. */
export type Scene = ReturnType<typeof sceneOf>

/** An answer: typed, tapped or shared. */
export type Answer = Lines & {
  data?: string | undefined
  contact?: (Contact & { isOwn: boolean }) | undefined
}

type Asked = (scene: Scene) => View
type Word = (scene: Scene) => string
type Notice = (scene: Scene) => string | undefined
/** Details of the person who is asked, and the mobile that is one for all. */
type Given = Partial<Pick<Person, 'name' | 'birth' | 'guardian' | 'gender'>> & {
  mobile?: string | undefined
}
export type Act<T = void> = (scene: Scene) => T | Promise<T>

/**
 * One step of the dialog: ask, wait, explain or keep. The draft remembers everything before it, so the log of
 * the conversation never outlives the step, and a rejected answer never gets into the log.
 */
export type Talk<Doubt = undefined> = {
  /** The reading of the last answer that waits for a yes. */
  readonly doubt: Doubt | undefined
  readonly config: Config
  ask(view: Asked): Promise<Answer>
  /** Asks again after words that were no answer, with a notice where the question itself does not say why. */
  again(word?: Notice): Promise<never>
  /** Answers a button that does not belong to the question. */
  refuse(): Promise<never>
  /** Does something beside the question, which stays open. */
  stay(act?: Act): Promise<never>
  /** Reads something outside of the conversation. */
  know<T>(read: (scene: Scene) => T): Promise<T>
  /** Keeps the given details and ends the step; `closing` takes the place of the question. */
  keep(given: Given, closing?: Word): Promise<void>
  /** Ends the step with an act that leads on. */
  end(act: Act): Promise<void>
  /** Ends the step and enters it again: with a doubt, a notice, or another form of the question. */
  reenter(how?: { doubt?: Doubt; word?: Word; view?: Asked }): Promise<void>
  /** Ends the step and enters another one to correct its field. */
  correct(ask: Entry['ask'], person: number): Promise<void>
}

/** Creates the talk of a step, in a conversation that this update enters or resumes. */
export function createTalk<Doubt>(
  conversation: Conversation<DialogContext, Context>,
  { first, entry, config }: { first: Context; entry: Entry; config: Config },
): Talk<Doubt> {
  const outside = outsideOf(conversation, (incoming) => sceneOf(incoming, entry))
  let given: Context | undefined = isEmpty(first) ? undefined : first
  let asked: Asked | undefined
  let said: string | undefined

  const talk: Talk<Doubt> = {
    ...endingsOf<Doubt>(outside, entry, () => said),
    doubt: entry.doubt as Doubt | undefined, // written by the same step, and dropped when its version changes
    config,
    async ask(view) {
      asked = view
      if (!given) await putQuestion(outside, entry, asked)
      const answer = given ?? (await conversation.wait())
      given = undefined
      if (isEmpty(answer)) return talk.again()
      const read = await pressed(outside, entry, asked, readAnswer(answer))
      said = read.text
      const [wish] = buttons.profile.read(read.data ?? '') ?? []
      if (entry.isCorrection && wish === 'keep') {
        await talk.keep({})
        await conversation.halt()
      }
      return read
    },
    async again(word) {
      await putQuestion(outside, entry, asked, word && { word, words: said })
      return conversation.skip()
    },
    refuse: () => talk.stay(({ toast, t }) => toast(t.plain('button-old'))),
    async stay(act) {
      if (act) await outside(act)
      return conversation.skip()
    },
    know: outside,
  }
  return talk
}

type Outside<S = Scene> = <T>(act: (scene: S, incoming: DialogContext) => T | Promise<T>) => Promise<T>

/** Keeps the clock, the store and Telegram outside of the conversation, which is replayed. */
export function outsideOf<S>(
  conversation: Conversation<DialogContext, Context>,
  sceneOf: (incoming: DialogContext) => S,
): Outside<S> {
  return (act) =>
    conversation.external(async (incoming) => {
      try {
        return await act(sceneOf(incoming), incoming)
      } catch (error) {
        incoming.dialog.thrown = { error }
        throw error
      }
    })
}

/** A typed button label counts as a press of the button. */
async function pressed(outside: Outside, entry: Entry, asked: Asked, answer: Answer): Promise<Answer> {
  const { text } = answer
  if (text === undefined) return answer
  const data = await outside(async (scene) => {
    const { is } = await askedLast(scene.ctx, scene.file.s)
    return (is === 'detail' ? saidButton : namedButton)(withWayOut(scene, entry, asked(scene)), text)
  })
  return data === undefined ? answer : { ...answer, text: undefined, data }
}

type Again = { word: Notice; words: string | undefined }

function putQuestion(outside: Outside, entry: Entry, asked?: Asked, again?: Again): Promise<void> {
  return outside(async (scene, { dialog }) => {
    const said = again?.word(scene) ?? dialog.word
    const isAgain = said !== undefined
    const words = again?.words ?? (dialog.show === 'question' ? dialog.words : undefined)
    const form = dialog.show === 'question' ? dialog.view : undefined
    const view = form ?? withWayOut(scene, entry, asked?.({ ...scene, isAgain }))
    const text = isAgain ? `${said}\n\n${view.text}` : view.text
    await askDetail(scene.ctx, scene.file, `${entry.ask}:${entry.person}`, { ...view, text }, words)
    if (isAgain) noteAsksElse(scene.ctx, said)
  })
}

/** In a correction the present value can be kept. */
function withWayOut(
  { t, person, today }: Scene,
  { ask, isCorrection, doubt }: Entry,
  view: View = { text: '' },
): View {
  const isField = ask === 'name' || ask === 'birth' || ask === 'gender' || ask === 'mobile'
  return isCorrection && isField && doubt === undefined ? keepView(t, view, person, ask, today) : view
}

type Endings = 'keep' | 'end' | 'reenter' | 'correct'

function endingsOf<Doubt>(
  outside: Outside,
  entry: Entry,
  said: () => string | undefined,
): Pick<Talk<Doubt>, Endings> {
  const next = (due: (scene: Scene) => Omit<Extract<Due, { show: 'question' }>, 'show' | 'file'>) =>
    outside((scene) => {
      scene.ctx.due = { show: 'question', file: scene.file, ...due(scene) }
    })

  return {
    async keep({ mobile, ...given }, closing) {
      await outside(async (scene) => {
        const { person, draft } = scene
        Object.assign(person, given)
        // For a role that is not registered yet the owner of the roadmap gives the mobile.
        if (mobile !== undefined && !scene.file.parent) draft.mobile = mobile
        if (closing) closeDetail(scene.ctx, scene.file, closing(scene))
      })
      await next(() => ({}))
    },
    end: outside,
    reenter: ({ doubt, word, view } = {}) =>
      next((scene) => ({
        entry: { ...entry, doubt },
        word: word?.(scene),
        words: word && said(),
        view: view?.(scene),
      })),
    correct: (ask, person) => next(() => ({ entry: { ask, person, isCorrection: true } })),
  }
}

function sceneOf(incoming: DialogContext, entry: Entry) {
  const { ctx, dialog, callbackQuery } = incoming
  const file = dialog.show === 'aside' ? undefined : dialog.file
  const person = file && isIn(file, 'profile', 'code') ? file.state.draft.people[entry.person] : undefined
  if (!file || !isIn(file, 'profile', 'code') || !person)
    throw new Error('a dialog needs somebody to talk about')
  const { draft } = file.state
  const sms = isIn(file, 'code') ? file.state.sms : undefined
  // A typed answer has no tap to answer.
  const toast = callbackQuery ? incoming.toast : (text: string) => replaceNotice(ctx, { text })
  return {
    ctx,
    t: ctx.t,
    today: ctx.today,
    file,
    draft,
    /** The person whose field is asked for. */
    person,
    sms,
    /** Whether the question is asked again, after a notice about the last answer. */
    isAgain: false,
    isCorrection: entry.isCorrection === true,
    toast,
  }
}

/** An empty update answers nothing: it only makes the step ask. */
export const isEmpty = ({ update }: Context): boolean => !update.message && !update.callback_query

export function readAnswer({ message, callbackQuery, from }: Context): Answer {
  const contact = message?.contact
  return {
    text: message?.text,
    document: message?.document,
    messageId: message?.message_id ?? 0,
    data: callbackQuery?.data,
    contact: contact && { ...contact, isOwn: contact.user_id === from?.id },
  }
}
