import type { Meet, Visitor } from './visitor.ts'

const instant = { testsAuthRequired: false }

/** A roadmap of several people: its introduction, its board, the hand-over and the role assignment. */
export async function roadmap(meet: Meet): Promise<void> {
  const visitor = await meet()
  await visitor.starts(`roadmap_${visitor.sandbox.addRoadmap({ productId: 'couple', ...instant })}`)
  await visitor.shows('introduction')
  await visitor.taps(/^begin:/)
  await visitor.shows('name of the first')
  await visitor.givesDetails('زهرا محمدی', '1375/5/12', 'gender:female')
  await visitor.shows('name of the second')
  await visitor.givesDetails('علی رضایی', '1372/1/20', 'gender:male')
  await visitor.says('09123456789')
  await visitor.shows('summary')
  await visitor.taps(/^profile:edit/)
  await visitor.shows('correction')
  await visitor.says('زهرا محمدی')
  await visitor.taps('profile:ok')
  await visitor.shows('board')
  await answersOne(visitor)
  await visitor.shows('after a test')
  await visitor.taps(/^hand:.+:11$/)
  await visitor.shows('handing over')
  const payload = /start=(\S+)/.exec(visitor.said)?.[1]
  await visitor.taps(/^open:/)
  await visitor.shows('hand-over')
  const partner = await meet()
  await partner.starts(payload)
  await partner.shows('introduction of the other')
  await partner.taps(/^begin:/)
  await partner.shows('board of the other')
  await family(meet)
  await apart(meet)
}

/** Each person gives their own details on their own phone, and the person who began registers all. */
async function apart(meet: Meet): Promise<void> {
  const mother = await meet()
  await mother.starts(`roadmap_${mother.sandbox.addRoadmap({ productId: 'couple', ...instant })}`)
  await mother.taps(/^begin:/)
  await mother.givesDetails('زهرا محمدی', '1375/5/12', 'gender:female')
  await mother.taps(/^hand:/)
  await mother.shows('inviting before the registration')
  const payload = /start=(\S+)/.exec(mother.said)?.[1]
  await mother.says('09123456789')
  await mother.shows('who is left')
  const father = await meet()
  await father.starts(payload)
  await father.taps(/^begin:/)
  await father.shows('own name')
  await father.givesDetails('علی رضایی', '1372/1/20', 'gender:male')
  await father.shows('own summary')
  await father.taps('profile:ok')
  await father.shows('own details given')
  await mother.returns()
  await mother.shows('details have come')
}

/** Three people with six tests on one phone, one of them under 18. */
async function family(meet: Meet): Promise<void> {
  const visitor = await meet()
  await visitor.starts(`roadmap_${visitor.sandbox.addRoadmap({ productId: 'family', ...instant })}`)
  await visitor.taps(/^begin:/)
  await visitor.givesDetails('زهرا محمدی', '1360/5/12', 'gender:female')
  await visitor.givesDetails('علی رضایی', '1358/1/1', 'gender:male')
  await visitor.says('نگار رضایی')
  await visitor.says('1390/2/3')
  await visitor.taps('guardian:yes')
  await visitor.taps('gender:female')
  await visitor.says('09123456789')
  await visitor.taps('profile:ok')
  await visitor.shows('board of a family')
  await visitor.taps(/^tests:/)
  await visitor.shows('all tests')
  await visitor.taps(/^\u2068?نگار\u2069?: /)
  await visitor.shows('hand-over of a minor')
  await visitor.taps(/^decline:/)
  await visitor.shows('not agreed')
}

/** The analysis and the combined report. */
export async function roadmapResult(meet: Meet): Promise<void> {
  const visitor = await meet()
  await visitor.starts(`roadmap_${visitor.sandbox.addRoadmap({ productId: 'couple', ...instant })}`)
  await visitor.taps(/^begin:/)
  await visitor.givesDetails('زهرا محمدی', '1375/5/12', 'gender:female')
  await visitor.givesDetails('علی رضایی', '1372/1/20', 'gender:male')
  await visitor.says('09123456789')
  await visitor.taps('profile:ok')
  while (!visitor.sees(/^generate:/)) await answersOne(visitor)
  await visitor.showsLast('all finished')
  await visitor.taps(/^generate:/)
  await visitor.shows('analysis')
  await visitor.waitsForFile()
  await visitor.shows('combined report')
}

/** Opens the next test of the board, answers it and submits. */
async function answersOne(visitor: Visitor): Promise<void> {
  await visitor.taps(/^open:/)
  if (visitor.sees(/^ready:/)) await visitor.taps(/^ready:/)
  await visitor.answersAll()
  await visitor.taps(/^submit:/)
}
