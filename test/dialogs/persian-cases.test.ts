import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatBirth } from '../../src/domain/persian/calendar.ts'
import { createTestWorld, type World } from '../world.ts'
import { createParticipant, type Participant, word } from './walk.ts'

type Birth = {
  id: number
  input: string
  iso?: string
  error?: string
  assumed?: string[]
  candidates?: string[]
}
type Mobile = { id: number; input: string; mobile?: string; unusual?: boolean; error?: string }
type Name = { input: string; name?: string; error?: string; bad?: string }

const read = <T>(name: string): T =>
  JSON.parse(
    readFileSync(new URL(`../domain/persian/cases/${name}-cases.json`, import.meta.url), 'utf8'),
  ) as T
const births = read<{ today: string; cases: Birth[] }>('birth')
const mobiles = read<{ cases: Mobile[] }>('mobile')
const names = read<{ valid: Name[]; invalid: Name[] }>('names')

let world: World
let participant: Participant

/** Everything goes through the real chat; Telegram drops a text without a visible letter. */
async function types(text: string): Promise<string> {
  await participant.says(text)
  return participant.heard
}

beforeAll(async () => {
  world = await createTestWorld({ emulator: { settle: { timeoutMs: 200_000 } } })
  // The tables were written for this date.
  world.pass(Date.parse(`${births.today}T09:00:00Z`) - world.now())
  await world.start()
  const token = world.sandbox.addRecord({ testId: 'sleep-20' })
  participant = createParticipant(world, world.emulator.person(), token)
  await participant.walksTo('name')
})
afterAll(() => world.close())

const isVisible = ({ input }: { input: string }) =>
  input.replace(/\p{Default_Ignorable_Code_Point}/gu, '').trim() !== ''

describe('names', () => {
  test.each(names.invalid.filter(isVisible))(
    '$input is refused as $error',
    async ({ input, error, bad = '' }) => {
      const heard = await types(input)
      // A whole name in other letters is not quoted letter by letter.
      const isMany = error === 'latin' && [...bad].length > 3
      expect(heard).toContain(
        word(`name-error.${error}${isMany ? '_many' : ''}` as 'name-error.latin', { bad }),
      )
      if (isMany) expect(heard).not.toContain(word('name-error.latin', { bad }))
      expect(participant.place).toBe('name')
    },
  )

  test.each(names.valid)('$input becomes $name', async ({ input, name = '' }) => {
    if (participant.place === 'name') await types(input)
    else {
      await participant.taps('profile:edit:name')
      await types(input)
    }
    // A name of one word has to be confirmed.
    if (participant.place === 'name-confirm') await participant.taps('name:ok')
    if (participant.place !== 'summary') await participant.walksTo('summary')
    expect(participant.screen).toContain(word('summary-name', { name }))
  })
})

describe('birth dates', () => {
  test.each(births.cases.filter(isVisible))(
    '$input',
    async ({ input, iso, error, assumed = [], candidates }) => {
      await participant.walksTo('summary')
      await participant.taps('profile:edit:birth')
      const heard = await types(input)
      if (iso) {
        const { own } = formatBirth(iso, 'fa')
        if (assumed.length > 0 && participant.place === 'birth') {
          expect(heard).toContain(own)
          if (participant.buttons.includes('birth:ok')) await participant.taps('birth:ok')
        }
        // A child's guardian is asked for once; the summary shows the understood date.
        if (participant.place === 'guardian') await participant.taps('guardian:yes')
        // This test admits ages from 16: a younger participant sees the understood date and is asked again.
        const isAdmitted = iso <= '2010-11-20'
        expect(participant.place).toBe(isAdmitted ? 'summary' : 'birth')
        expect(isAdmitted ? participant.screen : heard).toContain(own)
        if (isAdmitted) return
      } else if (candidates) {
        const labels = participant.person.buttons
        for (const candidate of candidates) expect(labels.join()).toContain(formatBirth(candidate, 'fa').own)
      } else expect(heard).toContain(word(`birth-error.${error}` as 'birth-error.future'))
      await types('1375/5/12')
      expect(participant.place).toBe('summary')
    },
  )
})

describe('mobiles', () => {
  test.each(mobiles.cases.filter(isVisible))('$input', async ({ input, mobile, unusual, error }) => {
    await participant.walksTo('summary')
    await participant.taps('profile:edit:mobile')
    const heard = await types(input)
    if (mobile) {
      if (unusual) await participant.taps('mobile:ok')
      expect(participant.place).toBe('summary')
      expect(participant.screen).toContain(mobile)
      return
    }
    expect(heard).toContain(word(`mobile-error.${error}` as 'mobile-error.foreign'))
    await types('09123456789')
    expect(participant.place).toBe('summary')
  })
})
