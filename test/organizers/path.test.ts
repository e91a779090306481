import { expect } from 'vitest'
import { shortIdOf, story, word } from './office.ts'

/** The path of docs/organizers.md, step by step. */
story(
  'an organizer goes the path of the page: id, start, invite, watch, remind, answer, release, result',
  async ({ work }) => {
    const office = await work({
      sandbox: { testsAuthRequired: false },
      environment: { QUIET_HOURS: '0-0', REMINDER_HOURS: '' },
    })
    await office.says('/id')
    expect(office.heard).toBe(word('own-id', { id: String(office.person.id) }))
    await office.says('/start')
    expect(office.heard).toContain(word('status-none'))

    const token = office.addRecord()
    const payload = await office.invites(token)
    const sara = office.join(token)
    await sara.opens(payload)
    await sara.walksTo('question')
    await sara.answers(1)

    await office.says('/start')
    await office.taps('stage:answering:1')
    expect(office.screen).toContain('زهرا')
    await office.taps(`card:r:${token}`)
    await office.taps(`nudge:r:${token}`)
    expect(office.heard).toBe(word('nudge-sent'))

    await sara.taps(/^open:/)
    const s = shortIdOf(sara)
    await sara.taps(`ask:${s}`)
    await sara.says('این برای همین هفته است؟')
    const asked = office.person.messages.findLast(({ text }) => text?.includes('این برای همین هفته است؟'))
    await office.acts(() => office.person.say('بله، همین دو هفته', { replyTo: asked?.message_id }))
    expect(sara.chat).toContain('بله، همین دو هفته')

    await office.says(token)
    await office.taps(`release:${s}`)
    await office.taps(`release:${s}:same`)
    const led = office.invitation
    const other = office.join(token, 'زهرا')
    await other.opens(led)
    await other.says('09123456789')
    expect(other.question.position).toBe(2)
    await other.walksTo('review')
    await other.taps(/^submit:/)

    await office.says('/start')
    await office.taps('stage:delivered:1')
    await office.taps(`card:r:${token}`)
    await office.taps(/^send:/)
    expect(office.person.messages.some(({ document }) => document?.file_name?.startsWith('report-'))).toBe(
      true,
    )
  },
)
