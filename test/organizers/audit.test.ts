import { expect } from 'vitest'
import { onBothStores, story, word } from './office.ts'

const TITLE = 'حال این دو هفته (نمونه) · زهرا'
const count = (text: string, part: string) => text.split(part).length - 1

onBothStores(
  'the participant is notified each time an organizer takes the result, and the audit lists it',
  async ({ work }) => {
    const office = await work({ sandbox: { testsAuthRequired: false } })
    const token = office.addRecord()
    const sara = office.join(token)
    await sara.opens()
    expect(sara.heard).toContain('هر بار به شما خبر می‌دهیم')
    await sara.walksTo('review')
    await sara.goesOn()
    const told = word('result-taken', { title: TITLE })
    expect(sara.chat).not.toContain(told)
    await office.says(`/records ${token}`)
    await office.taps(/^send:/)
    expect(count(sara.chat, told)).toBe(1)
    sara.person.block()
    office.world.pass(60_000)
    await office.says(`/records ${token}`)
    await office.taps(/^send:/)
    await office.says(`/records ${token}`)
    await office.taps(/^send:/)
    expect(count(sara.chat, told)).toBe(1)
    sara.person.unblock()
    await sara.opens('')
    expect(count(sara.chat, told)).toBe(3)

    await office.says(`/records ${token}`)
    await office.taps(/^release:/)
    await office.taps(/:same$/)
    const anew = office.invitation
    const later = office.join(token, 'سارا')
    await later.opens(anew)
    await later.says('09123456789')
    await office.says('/status')
    await office.taps('audit')
    const lines = office.heard.split('\n').filter((line) => line.includes(token))
    const who = String(office.person.id)
    const ofOrganizer = ['send', 'received', 'release-same'] as const
    for (const what of ofOrganizer)
      expect(lines).toContainEqual(expect.stringMatching(`${who}.*${word(`act.${what}`)}`))
    expect(lines.filter((line) => line.includes(word('act.send')))).toHaveLength(3)
    const taken = lines.find((line) => line.includes(word('act.taken-over'))) ?? ''
    expect(taken).toContain(word('audit-participant'))
    expect(taken).not.toContain(String(later.person.id))
  },
)

story(
  'the audit lists a result that organizers receive by consent, and who received it',
  async ({ work }) => {
    const office = await work({
      sandbox: { testsAuthRequired: false },
      environment: { RESULT_TO: 'both' },
    })
    const token = office.addRecord()
    const sara = office.join(token)
    await sara.walksTo('review')
    await sara.goesOn()
    await office.says('/status')
    await office.taps('audit')
    const lines = office.heard.split('\n').filter((line) => line.includes(word('act.received')))
    expect(lines).toEqual([expect.stringMatching(`${office.person.id}.*${token}`)])
  },
)

story('the audit shows the last fifty acts', async ({ work }) => {
  const office = await work()
  const code = await office.invites(office.addRecord())
  const { last } = office.person
  await office.acts(() => {
    for (let acts = 0; acts < 50; acts += 1) office.person.rawTap(last, `expire:${code.slice(2)}:${acts + 1}`)
  })
  await office.says('/status')
  await office.taps('audit')
  const lines = office.heard.split('\n').filter((line) => line.includes(String(office.person.id)))
  expect(lines).toHaveLength(50)
  expect(lines.filter((line) => !line.includes(word('act.expire')))).toEqual([])
})
