import { expect, test } from 'vitest'
import { HOUR_MS } from '../../src/domain/durations.ts'
import { titleOf } from '../../src/domain/record/names.ts'
import { newRecordFile } from '../../src/domain/record/record.ts'
import { type Participant, story, withAnother, word } from './walk.ts'

const TITLE = 'حال این دو هفته (نمونه)'

/** Walks to a place, answering under this name. */
async function as(child: Participant, name: string, place: 'question' | 'review') {
  await child.walksTo('name')
  await child.says(name)
  await child.walksTo(place)
}

const labels = ({ person }: Participant) =>
  (person.last.reply_markup?.inline_keyboard ?? []).flat().map(({ text }) => text)

story('the tests of two children on one phone never have equal lines', async ({ meet }) => {
  const negar = await meet({ record: { testsAuthRequired: false } })
  await as(negar, 'نگار کریمی', 'review')
  const parsa = withAnother(negar, { testId: 'mood-7', testsAuthRequired: false })
  await parsa.opens()
  await as(parsa, 'محمد پارسا کریمی', 'question')
  const third = withAnother(negar, { testId: 'mood-7', testsAuthRequired: false })
  await third.opens()
  await negar.says('/tests')
  for (const name of ['نگار', 'محمد پارسا']) expect(negar.heard).toContain(`${TITLE} · ${name}\n`)
  expect(new Set(labels(negar)).size).toBe(3)
  await negar.taps(/نگار/)
  await negar.taps(/^submit:/)
  expect(negar.chat).toContain(word('result-title', { title: `${TITLE} · نگار` }))
  expect(negar.person.last.caption).toContain('نگار')
  await parsa.opens()
  await negar.waits(25 * HOUR_MS)
  expect(negar.heard).toContain(`${TITLE} · محمد پارسا`)
})

test('a test whose profile existed already is named by its case number', () => {
  const known = newRecordFile({ s: 's', token: 't', seenAt: 0 }, 'record')
  const file = { ...known, caseNumber: 'PR-1405/00127', test: { ...known.test, title: 'خواب' } }
  expect(titleOf(file)).toBe('خواب · PR-1405/00127')
  expect(titleOf({ ...file, person: 'نگار' })).toBe('خواب · نگار')
})

story('two invitations that no account has begun are told apart by their number', async ({ meet }) => {
  const one = await meet({ at: 'introduction' })
  const other = withAnother(one, { testId: 'mood-7' })
  await other.opens()
  await one.says('/tests')
  expect(new Set(labels(one)).size).toBe(2)
})
