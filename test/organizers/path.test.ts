import { expect } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/domain/durations.ts'
import { type Office, word as persian, shortIdOf, story, wordInEnglish } from './office.ts'

/** Counts the acts of an organizer: messages, presses, replies. */
function counted(office: Office) {
  let acts = 0
  const act = <A extends unknown[]>(does: (...given: A) => Promise<unknown>) => {
    return async (...given: A) => {
      acts += 1
      await does(...given)
    }
  }
  return {
    says: act(office.says),
    taps: act((button: string | RegExp) => office.taps(button)),
    replies: act((text: string, to: number | undefined) =>
      office.acts(() => office.person.say(text, { replyTo: to })),
    ),
    /** The number of acts since the last call. */
    took: () => {
      const [taken] = [acts]
      acts = 0
      return taken
    },
  }
}

const QUESTION = 'این برای همین هفته است؟'

/** The path of docs/organizers.md, step by step, in each of its languages. */
for (const [language, word] of [
  ['fa', persian],
  ['en', wordInEnglish],
] as const)
  story(
    `in ${language} each step of docs/organizers.md takes an organizer as few acts as the page says`,
    async ({ work }) => {
      const environment = { REMINDER_HOURS: '' }
      const office = await work({ sandbox: { testsAuthRequired: false }, environment })
      await office.forges(`lang:${language}`)
      const { says, taps, replies, took } = counted(office)
      await says('/id')
      expect(office.heard).toBe(word('own-id', { id: String(office.person.id) }))
      await says('/start')
      expect(office.heard).toContain(word('status-none'))

      const token = office.addRecord()
      took()
      await says(token)
      await taps(`invite:r:${token}`)
      // The third act: the link is shared, or copied.
      const links = office.person.last.reply_markup?.inline_keyboard.flat() ?? []
      expect(links.some(({ url }) => url?.startsWith('https://t.me/share/url?url='))).toBe(true)
      expect(took()).toBe(2)
      const sara = office.join(token)
      await sara.opens(office.invitation)
      await sara.walksTo('question')
      await sara.answers(1)

      await says(`/invite ${office.addRecord()}`)
      expect(office.heard).toContain('start=i_')
      sara.world.passWith(DAY_MS + HOUR_MS)
      await sara.world.settled()
      took()
      await says('/start')
      await taps('stage:stuck:1')
      expect(office.screen).toContain('زهرا')
      expect(took()).toBe(2)
      await taps(`card:r:${token}`)
      await taps(`nudge:r:${token}`)
      expect(office.heard).toBe(word('nudge-sent'))
      expect(took()).toBe(2)
      const [profile] = Object.values(sara.world.sandbox.snapshot().profiles)
      for (const known of ['زهرا محمدی', profile?.caseNumber ?? '', token]) {
        await says(known)
        expect([known, office.data]).toEqual([known, expect.arrayContaining([`card:r:${token}`])])
        expect(office.heard).toContain(word('card-token', { token }))
      }

      await sara.taps(/^open:/)
      const s = shortIdOf(sara)
      await sara.taps(`ask:${s}`)
      await sara.says(QUESTION)
      const asked = office.person.messages.findLast(({ text }) => text?.includes(QUESTION))
      took()
      await replies('بله، همین دو هفته', asked?.message_id)
      expect(took()).toBe(1)
      expect(office.heard).toBe(word('answer-sent'))
      expect(sara.chat).toContain('بله، همین دو هفته')

      await says(token)
      await taps(`release:${s}`)
      await taps(`release:${s}:same`)
      const led = office.invitation
      const other = office.join(token, 'زهرا')
      await other.opens(led)
      await other.says('09123456789')
      expect(other.question.position).toBe(2)
      await other.walksTo('review')
      await other.taps(/^submit:/)

      await says('/start')
      await taps('stage:delivered:1')
      await taps(`card:r:${token}`)
      await taps(/^send:/)
      expect(office.file('.html')).not.toBe('')
      await says('/status')
      expect(office.person.messages.some(({ photo }) => photo)).toBe(true)
      await taps('export')
      expect(office.file('.csv')).toContain(`${token},record,`)
    },
  )
