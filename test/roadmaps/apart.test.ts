import { expect } from 'vitest'
import { changedService } from '../dialogs/changed-service.ts'
import { type Office, ORGANIZED, organizerOf } from '../organizers/office.ts'
import { type Party, story, word } from './gather.ts'
import { CHILD, FATHER, MOBILE, MOTHER, people, profilesOf } from './kin.ts'

const APART = { productId: 'pair', environment: ORGANIZED }

/** Somebody has answered one question of the first test by its own link, before anybody opened its roadmap. */
async function begunApart({ join, records, world, token, roles }: Party) {
  world.sandbox.register(token, profilesOf(roles))
  const stranger = join('غریبه')
  await stranger.opens(`record_${records[0]}`)
  await stranger.taps(/^begin:/)
  await stranger.taps(/^a:[^:]+:0:1:/, stranger.person.last)
  const office = await organizerOf({ world })

  return {
    stranger,
    office,
    /** The organizer invites to the role of that test, and somebody takes it. */
    async holder() {
      await office.forges(`invite:m:${token}:${roles[0]}`)
      const holder = join('مریم')
      await holder.accepts(office.invitation)
      expect(holder.board.text).toContain(word('stage-apart'))
      return holder
    },
    /** The organizer releases what this lists, for the same person. */
    async releases(list: string) {
      await office.says(list)
      await office.taps(/^release:/)
      await office.taps(/^release:[^:]+:same$/)
    },
    /** Whoever knows the mobile goes on at the second question. */
    async takenOver() {
      const anew = join('مریم')
      await anew.opens(office.invitation)
      await anew.says(MOBILE)
      expect(anew.board.text).not.toContain(word('stage-apart'))
      await anew.taps(/^open:/)
      expect(anew.question.position).toBe(2)
      return anew
    },
  }
}

const SUBMITTED = /^\/record\/[^/]+\/$/

/** The same, and somebody has begun the roadmap since. */
async function begunBeside(party: Party) {
  const begun = await begunApart(party)
  await party.owner.opens()
  await party.owner.taps(/^begin:/)
  return begun
}

story('details typed by the link of one test keep that test from nobody', async ({ gather }) => {
  const { owner, join, records, roles } = await gather({ productId: 'pair' })
  const stranger = join('غریبه')
  await stranger.opens(`record_${records[0]}`)
  await stranger.taps(/^begin:/)
  await stranger.says('سارا محمدی')
  await owner.comesToBoard(roles)
  expect(owner.board.text).not.toContain(word('stage-apart'))
  expect(stranger.heard).toBe(word('belongs-to-roadmap'))
  expect(stranger.chat).not.toContain('محمدی')
  await stranger.says('/tests')
  expect(stranger.heard).toBe(word('tests-none'))
  await owner.takesAll()
  expect(owner.data.some((data) => data.startsWith('generate:'))).toBe(true)
})

story(
  'whoever gave details by the link of one test comes to the board, and to that alone',
  async ({ gather }) => {
    const { owner, records, roles } = await gather({ productId: 'pair' })
    await owner.opens(`record_${records[0]}`)
    await owner.taps(/^begin:/)
    await owner.says('سارا محمدی')
    await owner.comesToBoard(roles)
    expect(owner.left).toBe(2)
    expect(owner.chat).not.toContain('محمدی')
    await owner.says('/tests')
    expect(owner.heard).not.toContain(word('stage-profile'))
    await owner.takesAll()
  },
)

story('a test begun by its own link goes on when its role is taken by somebody else', async ({ gather }) => {
  const party = await gather(APART)
  const { stranger, ...apart } = await begunApart(party)
  const holder = await apart.holder()
  expect(holder.board.text).toContain(word('board-wait-others'))
  await stranger.taps(/^pause:/)
  // No way leads to the board of others.
  expect(stranger.data).toHaveLength(1)
  await stranger.taps(/^open:/)
  await stranger.answers(1)
  await stranger.taps(/^submit:/)
  expect(party.calls('POST', SUBMITTED)).toBe(1)
  expect(holder.board.text).not.toContain(word('stage-apart'))
})

story('a role that is released takes a test with it that was begun by its own link', async ({ gather }) => {
  const party = await gather(APART)
  const { stranger, ...apart } = await begunApart(party)
  const question = stranger.person.last
  const [next = ''] = stranger.data
  await apart.holder()
  await apart.releases(`/roadmaps ${party.token}`)
  expect(stranger.heard).toBe(word('released-told', { title: 'خانهٔ ما' }))
  await stranger.forges(next, question)
  const anew = await apart.takenOver()
  await anew.answers(1)
  await anew.taps(/^submit:/)
  expect(party.calls('POST', SUBMITTED)).toBe(1)
})

story(
  'a test that was released by itself goes on with its role, once that is released',
  async ({ gather }) => {
    const party = await gather(APART)
    const apart = await begunApart(party)
    await apart.releases(`/records ${party.records[0]}`)
    const holder = await apart.holder()
    expect(holder.data.some((data) => data.startsWith('open:'))).toBe(false)
    await apart.releases(`/roadmaps ${party.token}`)
    await apart.takenOver()
  },
)

story(
  'the analysis begins by itself, too, where the last test was begun by its own link',
  async ({ gather }) => {
    const party = await gather(APART)
    const { owner, calls, waits } = party
    const { stranger } = await begunBeside(party)
    await owner.takes()
    await stranger.answers(1)
    await stranger.taps(/^submit:/)
    expect(owner.board.text).toContain(word('board-all-finished-soon'))
    await waits(61_000)
    expect(calls('POST', /generate\/$/)).toBe(1)
  },
)

story(
  'a service that writes its tokens in capitals has one account for each test as well',
  async ({ gather }) => {
    const party = await gather(APART)
    const { owner, world } = party
    await begunApart(party)
    const change = (_: string, data: { test_records?: { token: string }[] } | null) =>
      data?.test_records
        ? {
            ...data,
            test_records: data.test_records.map((each) => ({ ...each, token: each.token.toUpperCase() })),
          }
        : data
    await party.restarts({ SERVICE_URL: await changedService(() => world.sandbox, change) })
    await owner.opens()
    await owner.taps(/^begin:/)
    expect(owner.board.text).toContain(word('stage-apart'))
  },
)

story(
  'a test begun by its own link comes to its end where who began the package is forgotten',
  async ({ gather }) => {
    const party = await gather(APART)
    const { stranger } = await begunBeside(party)
    await party.owner.forgets()
    await stranger.answers(1)
    await stranger.taps(/^submit:/)
    expect(party.calls('POST', SUBMITTED)).toBe(1)
    expect(stranger.reports).toHaveLength(1)
  },
)

story('whoever is forgotten last takes no answers of others along', async ({ gather }) => {
  const party = await gather(APART)
  const { stranger, ...apart } = await begunApart(party)
  const holder = await apart.holder()
  await holder.forgets()
  await stranger.answers(1)
  await stranger.taps(/^submit:/)
  expect(party.calls('POST', SUBMITTED)).toBe(1)
  expect(stranger.reports).toHaveLength(1)
})

/** The organizer has invited to the role of that test, and thinks better of it. */
async function revokes({ token, roles }: Party, office: Office): Promise<void> {
  await office.forges(`invite:m:${token}:${roles[0]}`)
  await office.taps(/^revoke:/)
}

story('an invitation to its role that is revoked leaves a test to who has begun it', async ({ gather }) => {
  const party = await gather(APART)
  const { stranger, office } = await begunApart(party)
  await revokes(party, office)
  await stranger.taps(/^a:/)
  expect(stranger.place).toBe('review')
  await stranger.taps(/^submit:/)
  expect(stranger.reports).toHaveLength(1)
})

story('an invitation that is revoked leaves a test to who it was released for', async ({ gather }) => {
  const party = await gather(APART)
  const { office, releases } = await begunApart(party)
  await releases(`/records ${party.records[0]}`)
  const code = office.invitation
  await revokes(party, office)
  const anew = party.join('مریم')
  await anew.opens(code)
  await anew.says(MOBILE)
  expect(anew.question.position).toBe(2)
})

story(
  'whoever finished a test by its own link is offered no result of it, and answered',
  async ({ gather }) => {
    const party = await gather(APART)
    const { stranger } = await begunBeside(party)
    await stranger.answers(1)
    await stranger.taps(/^submit:/)
    for (const said of ['/tests', 'نتیجه من چی شد؟', 'سلام', 'ممنون']) {
      await stranger.says(said)
      expect(stranger.data.filter((data) => data.startsWith('result:'))).toEqual([])
      expect(stranger.heard).toContain('تمام شد و پاسخ‌ها پذیرفته شد')
    }
  },
)

story('a test begun by its own link goes on once the organizer has opened it', async ({ gather }) => {
  const party = await gather(APART)
  const { world, token, roles, records, owner } = party
  const [record = ''] = records
  world.sandbox.register(token, profilesOf(roles))
  const away = world.sandbox.fault({ kind: 'status', status: 503, path: 'questions', times: 99 })
  const stranger = party.join('غریبه')
  await stranger.opens(`record_${record}`)
  await stranger.taps(/^begin:/)
  away.end()
  await owner.opens()
  await owner.taps(/^begin:/)
  world.sandbox.update(record, { status: 0 })
  await stranger.opens(`record_${record}`)
  await stranger.opens(`record_${record}`)
  expect(stranger.place).toBe('waiting')
  world.sandbox.update(record, { status: 2 })
  await party.waits(11 * 60_000)
  expect(stranger.chat).toContain(word('opened-now'))
  expect(stranger.boards).toEqual([])
  expect(stranger.place).toBe('question')
})

story('a guardian agrees to a test begun by its own link, also beside its package', async ({ gather }) => {
  const party = await gather({ environment: ORGANIZED })
  const { world, token, records, owner, join } = party
  const child = { name: people[CHILD]?.name, birth: '2012-01-01', is_male: false }
  const { roles } = profilesOf([MOTHER, FATHER])
  world.sandbox.register(token, { mobile: MOBILE, roles: [...roles, { id: CHILD, profile: child }] })
  const stranger = join('غریبه')
  await stranger.opens(`record_${records[4]}`)
  await stranger.taps(/^begin:/)
  await stranger.taps('guardian:link')
  const [, code = ''] = /start=(i_[a-z2-7]{12})/.exec(stranger.screen) ?? []
  await owner.opens()
  await owner.taps(/^begin:/)
  const parent = join('مادربزرگ')
  await parent.opens(code)
  await parent.taps(/^agree:[^:]+:no$/)
  expect(stranger.screen).toBe(word('guardian-declined-apart'))
  await stranger.opens(`record_${records[4]}`)
  await stranger.taps('guardian:yes')
  expect(stranger.place).toBe('guardian')
  await stranger.taps('guardian:link')
  await parent.opens(/start=(i_[a-z2-7]{12})/.exec(stranger.screen)?.[1])
  await parent.taps(/^agree:[^:]+:yes$/)
  expect(stranger.place).toBe('question')
})

story('whoever has begun a test by its own link is reminded of it as before', async ({ gather }) => {
  const party = await gather(APART)
  const { owner, waits } = party
  const { stranger } = await begunBeside(party)
  await owner.takes()
  for (let day = 0; day < 2; day++) await waits(25 * 3_600_000)
  expect(stranger.chat).toContain('هنوز تمام نشده است')
})

story('who waits for a test that was begun by its own link is reminded of nothing', async ({ gather }) => {
  const party = await gather(APART)
  const { owner, waits } = party
  await begunBeside(party)
  await owner.takes()
  const said = owner.fromBot().length
  for (let day = 0; day < 4; day++) await waits(25 * 3_600_000)
  expect(owner.fromBot().slice(said)).toEqual([])
})

story(
  'whose package is forgotten hears all the same that others have finished the test',
  async ({ gather }) => {
    const party = await gather(APART)
    const { stranger } = await begunBeside(party)
    await party.owner.forgets()
    await stranger.answers(1)
    await party.answersElsewhere(party.records[0] ?? '')
    await stranger.taps(/^submit:/)
    expect(stranger.heard).toContain('در جای دیگری تمام شد')
  },
)

for (const who of ['began', 'took the role'] as const) {
  story(
    `a test that was released by itself goes on where whoever ${who} is forgotten`,
    async ({ gather }) => {
      const party = await gather(APART)
      const { office, ...apart } = await begunApart(party)
      await apart.releases(`/records ${party.records[0]}`)
      const invitation = office.invitation
      if (who === 'began') {
        await party.owner.opens()
        await party.owner.taps(/^begin:/)
        await party.owner.forgets()
      } else await (await apart.holder()).forgets()
      const anew = party.join('مریم')
      await anew.opens(invitation)
      await anew.says(MOBILE)
      expect(anew.question.position).toBe(2)
      await anew.answers(1)
      await anew.taps(/^submit:/)
      expect(party.calls('POST', SUBMITTED)).toBe(1)
      expect(anew.reports).toHaveLength(1)
    },
  )
}
