import { expect } from 'vitest'
import { story, word, wordInEnglish } from './gather.ts'
import { ALL, CHILD, FATHER, KIN_TITLE, MOBILE, MOTHER, people, products, tests } from './kin.ts'

const ages = (key: 'ages-from', min: number) => word(key, { min })

story(
  'the introduction says what the roadmap is, who takes part and who gets the report',
  async ({ gather }) => {
    const { owner, calls } = await gather()
    await owner.opens()
    expect(owner.screen).toContain(KIN_TITLE)
    expect(owner.screen).toContain(word('roadmap-intro', { count: 6 }))
    for (const said of ['مادر', 'پدر', 'فرزند', 'روزهای من', 'گفتگو']) expect(owner.screen).toContain(said)
    expect(owner.screen).toContain(word('roadmap-result-participant'))
    expect(owner.screen).toContain(word('roadmap-analysis'))
    expect(owner.screen).toContain(word('intro-privacy', { days: 30 }))
    expect(owner.screen).toContain(word('intro-consent'))
    expect([calls('GET', /roadmap/), calls('GET', /record/)]).toEqual([1, 0])
  },
)

story(
  'the introduction of a roadmap of very many tests comes whole, and it can be begun',
  async ({ gather }) => {
    const long = tests.map((each) => ({ ...each, title: `${each.title} ${'و خانوادهٔ بزرگ ما '.repeat(4)}` }))
    const many = products.map((each) => ({ ...each, tests: Array(12).fill(each.tests).flat() }))
    const { owner } = await gather({ sandbox: { tests: long, products: many } })
    await owner.opens()
    expect(owner.heard).toContain(word('roadmap-intro', { count: 72 }))
    expect(owner.heard.split('خانهٔ ما و')).toHaveLength(37)
    await owner.taps(/^begin:/)
    expect(owner.place).toBe('name')
  },
)

story.for([['organizer'], ['both']] as const)(
  'with RESULT_TO=%s the consent names the receivers',
  async ([to], { gather }) => {
    const { owner } = await gather({ environment: { RESULT_TO: to, ORGANIZERS: '900' } })
    await owner.opens()
    expect(owner.screen).toContain(word(`roadmap-result-${to}`))
  },
)

story(
  'each role is asked for in order, with one mobile for all, and without a gender that is given',
  async ({ gather }) => {
    const { owner, world, token } = await gather()
    const asked: string[] = []
    const notes = (name: string) => asked.push(`${name}: ${owner.place}`)
    await owner.opens()
    await owner.taps(/^begin:/)
    for (const [role, title] of [
      [MOTHER, 'مادر'],
      [FATHER, 'پدر'],
      [CHILD, 'فرزند'],
    ] as const) {
      expect(owner.screen).toContain(title)
      notes(title)
      await owner.says(people[role]?.name ?? '')
      expect(owner.screen).toContain(title)
      notes(title)
      await owner.forges(people[role]?.birth ?? '')
      while (owner.place === 'guardian' || owner.place === 'gender') {
        notes(title)
        await owner.taps(owner.place === 'gender' ? 'gender:female' : 'guardian:yes')
      }
    }
    expect(asked).toEqual([
      'مادر: name',
      'مادر: birth',
      'پدر: name',
      'پدر: birth',
      'فرزند: name',
      'فرزند: birth',
      'فرزند: guardian',
      'فرزند: gender',
    ])
    expect(owner.screen).toContain(word('mobile-shared'))
    await owner.says(MOBILE)
    expect(owner.place).toBe('summary')
    for (const { name } of ALL.map((role) => people[role] ?? { name: '' }))
      expect(owner.screen).toContain(name)
    await owner.taps('profile:ok')
    expect(profilesOf(world.sandbox.snapshot(), token)).toEqual([
      [MOTHER, 'مریم احمدی', '1981-03-30', false, MOBILE],
      [FATHER, 'رضا احمدی', '1976-08-23', true, MOBILE],
      [CHILD, 'سارا احمدی', '2011-05-26', false, MOBILE],
    ])
  },
)

story('a birth date outside of a role is refused at once, with limits and role', async ({ gather }) => {
  const { owner } = await gather()
  await owner.opens()
  await owner.taps(/^begin:/)
  await owner.says('مریم احمدی')
  await owner.says('۱۳۹۰/۱/۱')
  expect(owner.screen).toContain('مادر')
  expect(owner.screen).toContain(ages('ages-from', 25))
  await owner.says('۱۳۶۰/۱/۱۰')
  await owner.introduces(FATHER)
  await owner.says('سارا احمدی')
  await owner.says('۱۳۶۰/۱/۱۰')
  expect(owner.screen).toContain('فرزند')
  expect(owner.screen).toContain(word('ages-between', { min: 12, max: 17 }))
  await owner.says('۱۳۹۰/۳/۵')
  expect(owner.place).toBe('guardian')
})

story(
  'without a guardian the dialog stops, notifies the organizer, and can go on later',
  async ({ gather }) => {
    const { owner, join } = await gather({ environment: { ORGANIZERS: '5000000002' } })
    const organizer = join('دعوت‌کننده')
    await organizer.opens('')
    await owner.opens()
    await owner.taps(/^begin:/)
    await owner.introduces(MOTHER)
    await owner.introduces(FATHER)
    await owner.says('سارا احمدی')
    await owner.forges(people[CHILD]?.birth ?? '')
    await owner.taps('guardian:no')
    expect(owner.heard).toContain(word('guardian-stop'))
    expect(organizer.screen).toContain(word('notice-guardian', { title: KIN_TITLE }))
    expect(organizer.screen).toContain(word('whose-role', { role: 'فرزند', title: KIN_TITLE }))
    expect(organizer.screen).not.toContain('مریم')
    await owner.opens('')
    expect(owner.place).toBe('guardian')
  },
)

story('each field of each person can be corrected at the summary', async ({ gather }) => {
  const { owner, world, token } = await gather()
  await owner.opens()
  await owner.taps(/^begin:/)
  await owner.introducesAll(ALL)
  // In two steps, as the buttons offer it …
  await owner.taps(`profile:edit:${FATHER}`)
  expect(owner.screen).toContain('پدر')
  expect(owner.data).toEqual([`profile:edit:name:${FATHER}`, `profile:edit:birth:${FATHER}`, 'profile:keep'])
  await owner.taps('profile:keep')
  expect(owner.data).toContain('profile:ok')
  await owner.taps(`profile:edit:${FATHER}`)
  await owner.taps(`profile:edit:name:${FATHER}`)
  await owner.says('بهرام احمدی')
  expect(owner.place).toBe('summary')
  // … and at once, by forged data.
  await owner.forges(`profile:edit:birth:${MOTHER}`)
  await owner.says('۱۳۵۹/۲/۳')
  await owner.forges(`profile:edit:gender:${CHILD}`)
  await owner.taps('gender:male')
  await owner.forges(`profile:edit:name:${CHILD}`)
  await owner.says('آرش احمدی')
  await owner.taps('profile:edit:mobile')
  await owner.says('09351234567')
  expect(owner.place).toBe('summary')
  await owner.taps('profile:ok')
  expect(profilesOf(world.sandbox.snapshot(), token)).toEqual([
    [MOTHER, 'مریم احمدی', '1980-04-23', false, '09351234567'],
    [FATHER, 'بهرام احمدی', '1976-08-23', true, '09351234567'],
    [CHILD, 'آرش احمدی', '2011-05-26', true, '09351234567'],
  ])
})

story('a gender that the role gives cannot be edited, nor can an unknown role', async ({ gather }) => {
  const { owner } = await gather()
  await owner.opens()
  await owner.taps(/^begin:/)
  await owner.introducesAll(ALL)
  for (const data of [`profile:edit:gender:${MOTHER}`, 'profile:edit:name:99', 'profile:edit:size']) {
    await owner.forges(data)
    expect(owner.place, data).toBe('summary')
  }
})

story('with SMS one code goes to the one mobile, and a wrong one can be typed again', async ({ gather }) => {
  const { owner, world, calls } = await gather({ sms: true })
  await owner.opens()
  await owner.taps(/^begin:/)
  await owner.introducesAll(ALL)
  await owner.taps('profile:ok')
  expect(world.sandbox.sms().map(({ mobile }) => mobile)).toEqual([MOBILE])
  expect(owner.screen).toContain('کلینیک آرامش')
  await owner.says('00000')
  expect(owner.screen).toContain(word('code-wrong'))
  await owner.says(world.sandbox.sms()[0]?.code ?? '')
  expect(owner.boards).toHaveLength(1)
  expect([calls('POST', /auth\/$/), calls('PUT', /verify\/$/)]).toEqual([1, 2])
})

story('all typed details leave the chat when the profiles exist', async ({ gather }) => {
  const { owner } = await gather({ sms: true, at: 'board' })
  for (const role of ALL) expect(owner.chat).not.toContain(people[role]?.name)
  expect(owner.chat).not.toContain(MOBILE)
})

story('typed details are kept for each role through any interruption', async ({ gather }) => {
  const { owner, restarts } = await gather({ sms: true })
  const interruptions = [
    () => owner.opens(''),
    () => owner.opens(),
    () => owner.says('/tests').then(() => owner.taps(/^open:/)),
    () => owner.says('/cancel').then(() => owner.opens('')),
    () => owner.says('/help').then(() => owner.opens('')),
    () => restarts().then(() => owner.opens('')),
  ]
  let turn = 0
  const interrupt = async () => {
    const before = owner.place
    expect(before).toBeDefined()
    await interruptions[turn++ % interruptions.length]?.()
    expect(owner.place, `after interruption ${turn}`).toBe(before)
  }
  await owner.opens()
  await interrupt()
  await owner.taps(/^begin:/)
  for (const role of ALL) {
    await interrupt()
    await owner.says(people[role]?.name ?? '')
    await interrupt()
    await owner.forges(people[role]?.birth ?? '')
    while (owner.place === 'guardian' || owner.place === 'gender') {
      await interrupt()
      await owner.taps(owner.place === 'gender' ? 'gender:female' : 'guardian:yes')
    }
  }
  await interrupt()
  await owner.says(MOBILE)
  await interrupt()
  for (const role of ALL) expect(owner.screen).toContain(people[role]?.name)
  await owner.taps('profile:ok')
  await interrupt()
  expect(owner.place).toBe('code')
})

story('the language can change in the middle of the details', async ({ gather }) => {
  const { owner } = await gather()
  await owner.opens()
  await owner.taps(/^begin:/)
  await owner.introduces(MOTHER)
  await owner.says('/language')
  await owner.taps('lang:en')
  expect(owner.screen).toContain(wordInEnglish('name-ask-role', { role: 'پدر' }))
  await owner.introduces(FATHER)
  await owner.introduces(CHILD)
  await owner.says(MOBILE)
  await owner.taps('profile:ok')
  expect(owner.screen).toContain('Next test of ')
})

type State = {
  records: Record<string, { roadmap: string; role: number; profile: string }>
  profiles: Record<string, { name: string; birth: string; isMale: boolean; mobile: string }>
}

/** The profile of each role at the service, in order. */
function profilesOf(snapshot: unknown, token: string) {
  const { records, profiles } = snapshot as State
  const byRole = new Map(
    Object.values(records)
      .filter(({ roadmap }) => roadmap === token)
      .map(({ role, profile }) => [role, profiles[profile]]),
  )
  return [...byRole].map(([role, profile]) => [
    role,
    profile?.name,
    profile?.birth,
    profile?.isMale,
    profile?.mobile,
  ])
}

story('a reply to a question about one person is not kept as a detail of another', async ({ gather }) => {
  const { owner, world } = await gather({ productId: 'pair' })
  const replies = (text: string, to: number) =>
    owner.acts(() => {
      world.pass(2_000)
      owner.person.say(text, { replyTo: to })
    })
  await owner.opens()
  await owner.taps(/^begin:/)
  const name = owner.person.last.message_id
  await owner.says('لیلا رضایی')
  const birth = owner.person.last.message_id
  await owner.says('1370/2/2')
  await replies('لیلا رضوی', name)
  expect(owner.screen).toContain(word('answer-elsewhere'))
  expect(owner.place).toBe('name')
  await replies('علی رضایی', owner.person.last.message_id)
  expect(owner.place).toBe('birth')
  await replies('1369/3/4', birth)
  expect(owner.screen).toContain(word('answer-elsewhere'))
  expect(owner.place).toBe('birth')
  expect(owner.screen).toContain('مرد')
})
