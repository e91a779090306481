import type { ReplyMarkup } from './reply-markup.ts'
import type { PersonState } from './state.ts'
import type { World } from './world.ts'

/** The state of a chat's input: the reply keyboard, the forced reply, "typing…". */
export type ChatInput = ReturnType<typeof createChatInput>

const TYPING_MS = 5000

/** Applies what the bot sends, and what people send, to the input of a chat. */
export function createChatInput(world: World) {
  function show(person: PersonState): void {
    const { replyKeyboard, forceReply } = person
    const data = { ...(replyKeyboard ? { replyKeyboard } : {}), ...(forceReply ? { forceReply } : {}) }
    world.publish(person.id, { type: 'keyboard', data })
    world.changed()
  }

  return {
    /** Applies the markup of a bot's message; inline keyboards stay with the message. */
    apply(person: PersonState, messageId: number, markup: ReplyMarkup | undefined): void {
      if (!markup || markup.kind === 'inline') return
      delete person.replyKeyboard
      delete person.forceReply
      if (markup.kind === 'keyboard') person.replyKeyboard = { messageId, ...markup.keyboard }
      if (markup.kind === 'force') {
        person.forceReply = { messageId, ...(markup.placeholder ? { placeholder: markup.placeholder } : {}) }
      }
      show(person)
    },
    /** The person sent something: this ends a forced reply and a one-time keyboard. */
    used(person: PersonState, isButton: boolean): void {
      const keyboardGoes = isButton && person.replyKeyboard?.oneTime === true
      if (!keyboardGoes && !person.forceReply) return
      delete person.forceReply
      if (keyboardGoes) delete person.replyKeyboard
      show(person)
    },
    /** A keyboard disappears with the message that brought it. */
    messageDeleted(person: PersonState, messageId: number): void {
      if (person.replyKeyboard?.messageId !== messageId && person.forceReply?.messageId !== messageId) return
      if (person.replyKeyboard?.messageId === messageId) delete person.replyKeyboard
      if (person.forceReply?.messageId === messageId) delete person.forceReply
      show(person)
    },
    typing(person: PersonState, action: string): void {
      person.typing = { action, until: world.now() + TYPING_MS }
      world.publish(person.id, { type: 'typing', data: person.typing })
      world.stir()
    },
    typingEnds(person: PersonState): void {
      if (!person.typing) return
      delete person.typing
      world.publish(person.id, { type: 'typing', data: { until: 0 } })
    },
  }
}
