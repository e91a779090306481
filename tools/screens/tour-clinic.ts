import type { Meet } from './visitor.ts'

/** A day of an organizer: the stages of people, a reminder, a question, a class of pupils. */
export async function clinic(meet: Meet): Promise<void> {
  const organizer = await meet('organizer')
  await organizer.starts()
  await organizer.shows('home')
  await organizer.taps('stage:delivered:1')
  await organizer.shows('a stage, the flagged one first')
  await organizer.taps('home')
  await organizer.taps('stage:waiting:1')
  await organizer.shows('who waits for the organizer')
  await organizer.taps('home')
  await organizer.taps('stage:stuck:1')
  await organizer.shows('who is stuck')
  await organizer.taps(/^card:r:/)
  await organizer.shows('card of somebody who is stuck')
  await organizer.taps(/^nudge:/)
  await organizer.shows('reminded')
  await organizer.says('زهرا')
  await organizer.shows('searched by writing')
  await organizer.starts()
  await organizer.taps('home:more')
  await organizer.shows('home: what does not fit')
  await organizer.taps('questions')
  await organizer.shows('unanswered questions')

  const visitor = await meet()
  await visitor.begins('mood-7', { authRequired: false })
  await visitor.says('این هفته یا همیشه؟')
  await visitor.shows('words that are no answer')
  await visitor.taps(/^ask:/)
  await visitor.shows('sent to a person')
  await organizer.returns()
  await organizer.shows('a question came')
  await organizer.replies('فقط همین دو هفتهٔ گذشته.')
  await organizer.shows('answered')
  await visitor.returns()
  await visitor.shows('the answer came')
  await organizer.returns()
  await aClass(organizer)
}

/** Pupils who are invited together form a group with a name, which filters the list. */
async function aClass(organizer: Awaited<ReturnType<Meet>>): Promise<void> {
  const { sandbox } = organizer
  const lines = [4711, 4712, 4713].map((id) => `${sandbox.addRecord({ testId: 'mood-7' })},${id}`)
  await organizer.says(`/invite # کلاس ۷ب\n${lines.join('\n')}`)
  await organizer.shows('invited together')
  await organizer.taps(/^group:.*:1$/)
  await organizer.shows('a group')
  await organizer.says('/records')
  await organizer.taps(/^filters:/)
  await organizer.shows('filters')
  await organizer.taps(/^filters:.*:1$/)
  await organizer.shows('groups to filter by')
  await organizer.taps(/^filter:.*:group:/)
  await organizer.shows('the list of a group')
}
