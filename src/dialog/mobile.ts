import { parseSaidMobile } from '../domain/persian/mobile.ts'
import { buttons } from '../views/buttons.ts'
import { mobileErrorText, mobileGuessView, mobileView } from '../views/profile.ts'
import type { Scene, Talk } from './talk.ts'

/** A number of an unknown range that waits for a yes. */
type Doubt = { mobile: string }

/** The mobile, one for all people: typed, or the account's own, shared with the reply keyboard. */
export async function mobile(talk: Talk<Doubt>): Promise<void> {
  const { doubt } = talk
  const answer = await talk.ask((scene) => (doubt ? mobileGuessView(scene.t, doubt.mobile) : question(scene)))
  const { text, data = '', contact } = answer
  if (text !== undefined) return take(talk, text)
  if (contact) {
    if (contact.isOwn) return take(talk, international(contact.phone_number))
    return talk.again(({ t }) => t('contact-of-another'))
  }
  if (!doubt || !buttons.mobile.read(data)) return talk.refuse()
  await talk.keep(doubt, ({ t }) => t('summary-mobile', doubt))
}

function question({ t, file, draft }: Scene) {
  return mobileView(t, {
    sms: file.testsAuthRequired,
    isShared: draft.people.length > 1,
    known: draft.mobile,
  })
}

/** Takes a number; a number of an unknown range needs a yes. */
async function take(talk: Talk<Doubt>, text: string): Promise<void> {
  const read = parseSaidMobile(text)
  if (!read.ok) return talk.reenter({ word: ({ t }) => mobileErrorText(t, read.error) })
  if (read.unusual) return talk.reenter({ doubt: { mobile: read.mobile } })
  await talk.keep({ mobile: read.mobile })
}

/** Adds the plus of the international form, which some apps omit, so that a foreign number is recognized. */
export const international = (number: string): string => (number.startsWith('+') ? number : `+${number}`)
