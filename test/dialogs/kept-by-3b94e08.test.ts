/*
 * kept-by-3b94e08.v8.gz: a world as `stand()` gives it, walked once at 3b94e08 with what that version had in test/ (everybody
 * below, by name and token), its bot stopped, `serialize`d by node:v8 and gzipped.
 */
import { readFileSync } from 'node:fs'
import { deserialize } from 'node:v8'
import { gunzipSync } from 'node:zlib'
import { test as base, expect, type TestAPI } from 'vitest'
import { createAccount } from '../account.ts'
import { ORGANIZED, organizerOf } from '../organizers/office.ts'
import { MOBILE, products, tests } from '../roadmaps/kin.ts'
import { createPerson } from '../roadmaps/person.ts'
import { type Standing, withWorlds } from '../world.ts'
import { createParticipant } from './participant.ts'
import { shortTest } from './short-tests.ts'
import { word, ZAHRA } from './walk.ts'

type Who =
  | 'free'
  | 'taken'
  | 'released'
  | 'forgotten'
  | 'finished'
  | 'invited'
  | 'beganFamily'
  | 'handed'
  | 'leftFamily'
  | 'stays'
  | 'beganReleasedRole'
  | 'releasedRole'
  | 'releasedFamily'
  | 'staysReleased'
  | 'ofRole'
  | 'ofOtherRole'
type Known = { id: number; token: string; read: number; invitation?: string }

const kept = deserialize(gunzipSync(readFileSync(new URL('kept-by-3b94e08.v8.gz', import.meta.url)))) as {
  world: Standing
  known: Record<Who, Known>
}

/** Today's bot on what that version has kept, and the people of then. */
const comeBack = async (open: Parameters<Parameters<typeof withWorlds>[1]>[0]) => {
  const sandbox = {
    tests: [...tests, shortTest()],
    products,
    generationSeconds: 120,
    testsAuthRequired: false,
  }
  const world = await open({ environment: ORGANIZED, sandbox }, kept.world)
  await world.settled()
  const driver = (who: Who) => world.emulator.person({ id: kept.known[who].id })
  return {
    world,
    stranger: (who: Who) =>
      createParticipant(world, world.emulator.person({ firstName: 'رهگذر' }), kept.known[who].token),
    participant: (who: Who) =>
      createParticipant(world, driver(who), kept.known[who].token, kept.known[who].read),
    person: (who: Who) => createPerson(world, driver(who), kept.known[who].token, kept.known[who].read),
    invitationOf: (who: Who) => kept.known[who].invitation ?? '',
    submissionsOf: (token: string) =>
      world.sandbox.submissions(token).map(({ record, accepted }) => accepted && record),
    recordsOf: (who: Who) => world.sandbox.snapshot().roadmaps[kept.known[who].token]?.records ?? [],
  }
}

const extended: TestAPI<{ back: Awaited<ReturnType<typeof comeBack>> }> = base.extend<{
  back: Awaited<ReturnType<typeof comeBack>>
}>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern
  back: async ({}, use) => {
    let made: ReturnType<typeof comeBack> | undefined
    await withWorlds<ReturnType<typeof comeBack>>(
      async (coming) => use(await coming),
      (open) => (made ??= comeBack(open)),
    )
  },
})
const story = extended.concurrent

story('a record that no account had begun can be begun', async ({ back }) => {
  const free = back.participant('free')
  await free.taps(/^begin:/)
  await free.walksTo('review')
  await free.taps(/^submit:/)
  expect(free.files).toHaveLength(2)
  expect(free.submissions).toHaveLength(1)
})

story('a participant in the middle of a test goes on at the same question', async ({ back }) => {
  const taken = back.participant('taken')
  const { data } = taken.question
  await taken.forges(data[2] ?? '')
  expect(taken.question.position).toBe(3)
  const stranger = back.stranger('taken')
  await stranger.opens()
  expect(stranger.heard).toBe(word('invitation-used'))
  await taken.opens()
  await taken.answers(0)
  await taken.taps(/^submit:/)
  expect(back.submissionsOf(taken.token)).toEqual([['q1o2', 'q2o3', 'q3o1']])
  expect(taken.files).toHaveLength(2)
})

story('a released test goes on by a new invitation and the mobile, with every answer', async ({ back }) => {
  const before = back.participant('released')
  const manager = await organizerOf(back)
  const invitation = await manager.invites(`record ${before.token}`)
  const anew = back.stranger('released')
  await anew.opens()
  expect(anew.heard).toBe(word('invitation-used'))
  await anew.opens(invitation)
  expect(anew.heard).toBe(word('takeover-ask', { tries: 3 }))
  await before.opens(invitation)
  await before.says(ZAHRA.mobile)
  expect(before.place).not.toBe('question')
  await anew.says(ZAHRA.mobile)
  expect(anew.question.position).toBe(3)
  await anew.answers(0)
  await anew.taps(/^submit:/)
  expect(back.submissionsOf(anew.token)).toEqual([['q1o2', 'q2o3', 'q3o1']])
  expect(anew.files).toHaveLength(2)
})

story('a forgotten record opens for no account', async ({ back }) => {
  const forgotten = back.participant('forgotten')
  await forgotten.opens()
  expect(forgotten.heard).toBe(word('invitation-forgotten'))
  const stranger = back.stranger('forgotten')
  await stranger.opens()
  expect(stranger.heard).toBe(word('invitation-used'))
})

story('a delivered result is delivered again on request, and to no other account', async ({ back }) => {
  const finished = back.participant('finished')
  expect(finished.files).toHaveLength(2)
  const stranger = back.stranger('finished')
  await stranger.opens()
  expect(stranger.heard).toBe(word('invitation-used'))
  await finished.opens()
  await finished.taps(/^result:/)
  expect(finished.files).toHaveLength(4)
})

story('an invitation that was read can be begun, and is used by that', async ({ back }) => {
  const invited = back.participant('invited')
  await invited.taps(/^begin:/)
  await invited.walksTo('review')
  const stranger = back.stranger('invited')
  await stranger.opens(back.invitationOf('invited'))
  expect(stranger.heard).toBe(word('invitation-used'))
  await invited.taps(/^submit:/)
  expect(invited.files).toHaveLength(2)
})

story('a participant with an assigned role goes on in it, and all get the report', async ({ back }) => {
  const [owner, handed] = [back.person('beganFamily'), back.person('handed')]
  const [wifes = '', husbands = ''] = back.recordsOf('handed')
  expect(owner.rolesOf('unhand')).toEqual([])
  await handed.answers(2)
  await handed.taps(/^submit:/)
  expect(back.submissionsOf(husbands)).toEqual([{ s1: ['q1o2', 'q2o3'] }])
  expect(back.submissionsOf(wifes)).toEqual([])
  await owner.takesAll()
  await owner.taps(/^generate:/)
  back.world.passWith(10 * 60_000)
  await back.world.settled()
  expect(owner.reports).toHaveLength(1)
  expect(handed.reports).toHaveLength(1)
})

story('the participant who stays in a family goes on without the one who left', async ({ back }) => {
  const [left, stays] = [back.person('leftFamily'), back.person('stays')]
  await left.opens()
  expect(left.heard).toBe(word('invitation-forgotten'))
  await stays.answers(2)
  await stays.taps(/^submit:/)
  expect(back.submissionsOf(back.recordsOf('stays')[1] ?? '')).toEqual([{ s1: ['q1o2', 'q2o3'] }])
  expect(stays.board.text).toContain(word('board-wait-others'))
})

story('a released role goes on by the invitation made then, and the mobile', async ({ back }) => {
  const before = back.person('releasedRole')
  expect(before.screen).toMatch(/از این حساب .*پرسشی دارید؟/)
  const anew = createPerson(back.world, back.world.emulator.person(), kept.known.releasedRole.token)
  await anew.opens(back.invitationOf('releasedRole'))
  expect(anew.heard).toBe(word('takeover-ask', { tries: 3 }))
  await anew.says(MOBILE)
  expect(anew.heard).toContain(word('takeover-done'))
  await anew.taps(/^open:/)
  expect(anew.question.position).toBe(2)
  await before.opens()
  expect(before.place).not.toBe('board')
  await anew.answers(2)
  await anew.taps(/^submit:/)
  expect(back.submissionsOf(back.recordsOf('releasedRole')[1] ?? '')).toEqual([{ s1: ['q1o2', 'q2o3'] }])
  expect(back.person('beganReleasedRole').offered).toHaveLength(1)
})

story('a released family is taken over, and a participant with a role in it goes on', async ({ back }) => {
  const [before, stays] = [back.person('releasedFamily'), back.person('staysReleased')]
  const token = kept.known.releasedFamily.token
  await stays.answers(2)
  await stays.taps(/^submit:/)
  const manager = await organizerOf(back)
  const invitation = await manager.invites(`roadmap ${token}`)
  const anew = createPerson(back.world, back.world.emulator.person(), token)
  await anew.opens(invitation)
  await anew.says(MOBILE)
  expect(anew.heard).toContain(word('takeover-done'))
  await anew.taps(/^open:/)
  expect(anew.question.position).toBe(2)
  await before.opens()
  expect(before.heard).toBe(word('invitation-used'))
  await anew.answers(2)
  await anew.taps(/^submit:/)
  const both = back.recordsOf('releasedFamily').map((record) => back.submissionsOf(record))
  expect(both).toEqual([[{ s1: ['q1o2', 'q2o3'] }], [{ s1: ['q1o2', 'q2o3'] }]])
  await anew.taps(/^generate:/)
  back.world.passWith(10 * 60_000)
  await back.world.settled()
  for (const one of [anew, stays]) expect(one.reports).toHaveLength(1)
  expect(before.reports).toEqual([])
})

story('roles that were invited one by one are finished by their accounts', async ({ back }) => {
  const [first, second] = [back.person('ofRole'), back.person('ofOtherRole')]
  await first.answers(2)
  await first.taps(/^submit:/)
  await second.accepts(back.invitationOf('ofOtherRole'))
  await second.takesAll()
  expect(back.recordsOf('ofRole').map((token) => back.submissionsOf(token))).toEqual([
    [{ s1: ['q1o2', 'q2o3'] }],
    [{ s1: ['q1o1', 'q2o1'] }],
  ])
  await second.taps(/^generate:/)
  back.world.passWith(10 * 60_000)
  await back.world.settled()
  expect(first.reports).toHaveLength(1)
  expect(second.reports).toHaveLength(1)
  const stranger = createAccount(back.world, back.world.emulator.person({ firstName: 'رهگذر' }), '')
  await stranger.opens(`roadmap_${kept.known.ofRole.token}`)
  expect(stranger.heard).toBe(word('invitation-used'))
})
