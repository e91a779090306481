import type { Meet, Visitor } from './visitor.ts'

/** Every view of a questionnaire. */
export async function questions(meet: Meet): Promise<void> {
  const visitor = await meet()
  await visitor.begins('life-60', { authRequired: false })
  await visitor.shows('first question')
  const first = visitor.person.lastWith('a:')
  await visitor.taps(/^a:/)
  await visitor.showsLast('next question')
  await visitor.does(() => visitor.person.rawTap(first?.message_id ?? 0, dataOf(first, 1)))
  await visitor.showsPhone('other answer to the last')
  await visitor.presses('.dialog-button.yes')
  await visitor.taps(/^go:/)
  await visitor.showsLast('answered question')
  await visitor.says('۹')
  await visitor.shows('no such option')
  await visitor.says('سلام')
  await visitor.shows('not understood')
  await visitor.taps(/^pause:/)
  await visitor.showsLast('paused')
  await visitor.starts()
  await visitor.answersAll()
  await visitor.showsLast('review')
  const reader = await meet()
  await reader.begins('choices-10', { authRequired: false })
  await reader.shows('long options')
  await reader.taps(/^a:/)
  await reader.taps(/^go:/)
  await reader.showsLast('long options, answered')
  await reader.starts(`record_${reader.sandbox.addRecord({ testId: 'week-12', authRequired: false })}`)
  await reader.taps(/^begin:/)
  await reader.says('/tests')
  await reader.shows('tests')
}

/** The messages after the answers were accepted. */
export async function result(meet: Meet): Promise<void> {
  const visitor = await meet()
  await visitor.begins('mood-7')
  await visitor.introduces()
  await visitor.taps('profile:ok')
  await visitor.answersAll()
  await visitor.taps(/^submit:/)
  await visitor.shows('result')
  await visitor.presses('.photo')
  await visitor.showsPhone('picture, opened')
  await visitor.presses('.lightbox-close')
  await visitor.starts()
  await visitor.shows('finished')
}

function dataOf(message: Visitor['person']['last'] | undefined, option: number): string {
  return message?.reply_markup?.inline_keyboard.flat()[option]?.callback_data ?? ''
}
