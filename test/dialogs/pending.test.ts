import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'vitest'
import { type Participant, type Place, story, wordInEnglish } from './walk.ts'

/** What waits for a confirmation, a choice or a new value: how it begins, what shows it, how it ends. */
const pending: readonly {
  what: string
  at: Place
  begin: (sara: Participant) => Promise<unknown>
  offers: string
  end: (sara: Participant) => Promise<unknown>
  leadsTo: string
}[] = [
  {
    what: 'a guessed birth date',
    at: 'birth',
    begin: (sara) => sara.says('75/5/12'),
    offers: 'birth:ok',
    end: (sara) => sara.taps('birth:ok'),
    leadsTo: 'gender:female',
  },
  {
    what: 'a choice between two birth dates',
    at: 'birth',
    begin: (sara) => sara.says('08/03/1996'),
    offers: 'birth:pick:1',
    end: (sara) => sara.taps('birth:pick:1'),
    leadsTo: 'gender:female',
  },
  {
    what: 'an unusual mobile',
    at: 'mobile',
    begin: (sara) => sara.says('09423456789'),
    offers: 'mobile:ok',
    end: (sara) => sara.taps('mobile:ok'),
    leadsTo: 'profile:ok',
  },
  {
    what: 'a correction',
    at: 'summary',
    begin: (sara) => sara.taps('profile:edit:name'),
    offers: 'profile:keep',
    end: (sara) => sara.says('مریم کریمی'),
    leadsTo: 'profile:ok',
  },
  {
    what: 'a doubt in a correction',
    at: 'summary',
    begin: (sara) => sara.taps('profile:edit:birth').then(() => sara.says('74/5/12')),
    offers: 'birth:ok',
    end: (sara) => sara.taps('birth:ok'),
    leadsTo: 'profile:ok',
  },
]

const interruptions: readonly [string, (sara: Participant) => Promise<unknown>][] = [
  ['a restart, and an unknown command', (sara) => sara.meetsRestart().then(() => sara.says('/nothing'))],
  ['/language', (sara) => sara.says('/language').then(() => sara.taps('lang:en'))],
  ['/start', (sara) => sara.opens('')],
  ['the same link', (sara) => sara.opens()],
  ['/cancel and coming back', (sara) => sara.says('/cancel').then(() => sara.opens(''))],
  ['a voice message', (sara) => sara.acts(() => sara.person.sendFile('voice'))],
]

for (const { what, at, begin, offers, end, leadsTo } of pending) {
  story(`${what} survives every interruption`, async ({ meet }) => {
    const sara = await meet({ at })
    await begin(sara)
    expect(sara.data).toContain(offers)
    for (const [interruption, interrupt] of interruptions) {
      await interrupt(sara)
      expect(sara.data, interruption).toContain(offers)
    }
    expect(sara.chat).toContain(wordInEnglish('language-set'))
    await end(sara)
    expect(sara.data).toContain(leadsTo)
  })
}

story('thirty guesses in a row are each asked about, and the last one is taken', async ({ meet }) => {
  const sara = await meet({ at: 'birth' })
  for (let guess = 0; guess < 30; guess++) {
    await sara.says(`${60 + (guess % 10)}/5/12`)
    expect(sara.data).toContain('birth:ok')
  }
  await sara.taps('birth:ok')
  expect(sara.place).toBe('gender')
})

/** A deploy that changes a step: the logs of the waiting conversations are dropped. Returns how many. */
async function losesWhereStepsWait({ world }: Participant): Promise<number> {
  await world.stop()
  const db = new DatabaseSync(join(world.env.DATA_DIR ?? '', 'porsa.db'))
  const { changes } = db.prepare("DELETE FROM entry WHERE key LIKE 't:%'").run()
  db.close()
  await world.start()
  return Number(changes)
}

story('a step that a deploy has changed asks its field again, and nothing else is lost', async ({ meet }) => {
  const sara = await meet({ at: 'birth' })
  await sara.says('75/5/12')
  expect(await losesWhereStepsWait(sara)).toBe(1)
  await sara.taps('birth:ok')
  expect(sara.place).toBe('birth')
  await sara.walksTo('summary')
  expect(sara.screen).toContain('زهرا محمدی')
})

story('an answer counts although the conversation that asked for it is lost', async ({ meet }) => {
  const sara = await meet({ at: 'gender' })
  expect(await losesWhereStepsWait(sara)).toBe(1)
  await sara.taps('gender:female')
  expect(sara.place).toBe('mobile')
})
