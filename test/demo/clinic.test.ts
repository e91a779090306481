import { expect } from 'vitest'
import { BOARD_STAGES } from '../../src/domain/record/standing.ts'
import { plantClinic } from '../../tools/demo/clinic.ts'
import { cases } from '../../tools/demo/clinic-cases.ts'
import { story, word } from '../organizers/office.ts'

story('the demo begins with a clinic in which an organizer can do a day’s work', async ({ work }) => {
  expect(cases().filter(({ isFamily }) => !isFamily)).toHaveLength(75)
  expect(cases().filter(({ isFamily }) => isFamily)).toHaveLength(12)
  const office = await work({ environment: { QUIET_HOURS: '0-0' } })
  await office.world.stop()
  await plantClinic(office.world, office.world.env)
  await office.world.start()
  await office.world.settled()
  await office.says('/start')
  expect(office.data).toEqual(expect.arrayContaining(BOARD_STAGES.map((stage) => `stage:${stage}:1`)))
  expect(office.heard).not.toContain(word('home-recount'))
  expect(office.heard).toContain(word('home-unanswered', { count: 3 }))
  expect(office.data.length).toBeLessThanOrEqual(12)

  await office.taps('stage:delivered:1')
  expect(office.screen.split('\n\n')[1]).toContain(word('stage-item-flagged'))
  await office.taps('home')
  await office.taps('stage:waiting:1')
  expect(office.screen).toContain('#4711')
  await office.taps('home')
  await office.taps('stage:stuck:1')
  const answering = office.data.filter((data) => data.startsWith('card:r:'))
  let reminded = 0
  for (const card of answering) {
    await office.forges(card.replace('card:', 'nudge:'))
    if (office.heard === word('nudge-sent')) reminded += 1
  }
  expect(reminded).toBeGreaterThan(0)
  const reminders = office.world.emulator
    .people()
    .filter(({ messages }) => messages.some(({ text }) => text?.includes('هنوز تمام نشده')))
  expect(reminders).toHaveLength(2)
  await reminders[0]?.tap(/^open:/)
  await office.world.settled()
  expect(reminders[0]?.lastWith('a:')?.text).toContain('۶')

  await office.says('/start')
  await office.taps('home:more')
  expect(office.data).toEqual(expect.arrayContaining(['questions', 'groups:1', 'home']))
  await office.taps('questions')
  expect(office.heard).toContain('نتیجه را همسرم هم می‌بیند؟')
})
