import { parseSaidMobile } from '../domain/persian/mobile.ts'
import { buttons } from '../views/buttons.ts'
import { mobileErrorText, mobileGuessView, mobileView } from '../views/profile.ts'
import type { Scene, Talk } from './talk.ts'

/** A number of an unknown range that waits for a yes. */
type Doubt = { mobile: string }

/** The mobile, one for all: typed, or the own one shared with the keyboard under the input. */
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

/** Takes a number; one of an unknown range is asked about once more. */
async function take(talk: Talk<Doubt>, text: string): Promise<void> {
  const read = parseSaidMobile(text)
  if (!read.ok) return talk.anew({ word: ({ t }) => mobileErrorText(t, read.error) })
  if (read.unusual) return talk.anew({ doubt: { mobile: read.mobile } })
  await talk.keep({ mobile: read.mobile })
}

/** Some apps leave the plus of the international form out; with it a foreign number is known as one. */
export const international = (number: string): string => (number.startsWith('+') ? number : `+${number}`)
