import { expect } from 'vitest'
import { changedService } from '../dialogs/changed-service.ts'
import { type Office, ORGANIZED, organizerOf } from '../organizers/office.ts'
import { type Party, story, word } from './gather.ts'
import { CHILD, FATHER, MOBILE, MOTHER, people, profilesOf } from './kin.ts'

const APART = { productId: 'pair', environment: ORGANIZED }

/** A stranger answers one question of the first test by its own link, before the roadmap is opened. */
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
    /** The organizer invites to the role of that test, and a person accepts. */
    async holder() {
      await office.forges(`invite:m:${token}:${roles[0]}`)
      const holder = join('مریم')
      await holder.accepts(office.invitation)
      expect(holder.board.text).toContain(word('stage-apart'))
      return holder
    },
    /** The organizer releases the test or roadmap that this command shows, for the same person. */
    async releases(list: string) {
      await office.says(list)
      await office.taps(/^release:/)
      await office.taps(/^release:[^:]+:same$/)
    },
    /** A new account with the mobile takes the test over, at the second question. */
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

/** The same, and the owner has begun the roadmap since. */
async function begunBeside(party: Party) {
  const begun = await begunApart(party)
  await party.owner.opens()
  await party.owner.taps(/^begin:/)
  return begun
}

story('details typed by the link of one test do not keep the test from its roadmap', async ({ gather }) => {
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
  'an owner who gave details by the link of one test comes to the board, and only there',
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

story('a test begun by its own link goes on although another account takes its role', async ({ gather }) => {
  const party = await gather(APART)
  const { stranger, ...apart } = await begunApart(party)
  const holder = await apart.holder()
  expect(holder.board.text).toContain(word('board-wait-others'))
  await stranger.taps(/^pause:/)
  // No button leads to the board of others.
  expect(stranger.data).toHaveLength(1)
  await stranger.taps(/^open:/)
  await stranger.answers(1)
  await stranger.taps(/^submit:/)
  expect(party.calls('POST', SUBMITTED)).toBe(1)
  expect(holder.board.text).not.toContain(word('stage-apart'))
})

story('the release of a role includes a test that was begun by its own link', async ({ gather }) => {
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
  'a test that was released alone goes on with its role, once that is released as well',
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
  'the analysis starts by itself also where the last test was begun by its own link',
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

story('a test has one account also where the service writes its tokens in capitals', async ({ gather }) => {
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
})

story(
  'a test begun by its own link can be finished after the owner of the roadmap is forgotten',
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

story('/forget by the last account of a roadmap deletes no answers of others', async ({ gather }) => {
  const party = await gather(APART)
  const { stranger, ...apart } = await begunApart(party)
  const holder = await apart.holder()
  await holder.forgets()
  await stranger.answers(1)
  await stranger.taps(/^submit:/)
  expect(party.calls('POST', SUBMITTED)).toBe(1)
  expect(stranger.reports).toHaveLength(1)
})

/** The organizer invites to the role of that test, and revokes the invitation. */
async function revokes({ token, roles }: Party, office: Office): Promise<void> {
  await office.forges(`invite:m:${token}:${roles[0]}`)
  await office.taps(/^revoke:/)
}

story('a revoked role invitation leaves a test to the account that has begun it', async ({ gather }) => {
  const party = await gather(APART)
  const { stranger, office } = await begunApart(party)
  await revokes(party, office)
  await stranger.taps(/^a:/)
  expect(stranger.place).toBe('review')
  await stranger.taps(/^submit:/)
  expect(stranger.reports).toHaveLength(1)
})

story('a revoked role invitation leaves a released test to its person', async ({ gather }) => {
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
  'an account that finished a test by its own link is told so, and offered no result of it',
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

story('a guardian can agree to a test begun by its own link, also beside its roadmap', async ({ gather }) => {
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

story('an account that began a test by its own link is still reminded of it', async ({ gather }) => {
  const party = await gather(APART)
  const { owner, waits } = party
  const { stranger } = await begunBeside(party)
  await owner.takes()
  for (let day = 0; day < 2; day++) await waits(25 * 3_600_000)
  expect(stranger.chat).toContain('هنوز تمام نشده است')
})

story('an owner who waits for a test begun by its own link is reminded of nothing', async ({ gather }) => {
  const party = await gather(APART)
  const { owner, waits } = party
  await begunBeside(party)
  await owner.takes()
  const said = owner.fromBot().length
  for (let day = 0; day < 4; day++) await waits(25 * 3_600_000)
  expect(owner.fromBot().slice(said)).toEqual([])
})

story(
  'an account whose roadmap is forgotten is still told that its test was finished elsewhere',
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
    `a test that was released alone goes on although the account that ${who} is forgotten`,
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
