import type { Meet } from './visitor.ts'

/** The commands, and messages that the bot does not understand. */
export async function commands(meet: Meet): Promise<void> {
  const visitor = await meet()
  await visitor.begins('mood-7')
  await visitor.does(() => visitor.person.sendSticker())
  await visitor.shows('sticker')
  for (const command of ['help', 'privacy', 'language', 'tests', 'records', 'cancel']) {
    await visitor.says(`/${command}`)
    await visitor.shows(`/${command}`)
  }
  await visitor.says('/forget')
  await visitor.shows('/forget')
  await visitor.taps('forget:no')
  await visitor.shows('kept')
  await visitor.says('/forget')
  await visitor.taps('forget:yes')
  await visitor.shows('forgotten')
  await visitor.says('سلام')
  await visitor.shows('nothing is open')
  await visitor.starts()
  await visitor.says('/tests')
  await visitor.shows('no tests')
}

/** Messages when the service refuses or does not answer. */
export async function trouble(meet: Meet): Promise<void> {
  const refused = await meet()
  const { sandbox } = refused
  const fails = (path: string, status: number, message: string, times = 1) =>
    sandbox.fault({ kind: 'status', path, status, message, times })

  await refused.begins('mood-7', { testsAuthRequired: true })
  await refused.introduces()
  fails('auth/$', 400, 'نام با کارت ملی نمی‌خواند.')
  await refused.taps('profile:ok')
  await refused.shows('profile refused')
  fails('auth/$', 400, 'Mobile limit reached.')
  await refused.taps('profile:ok')
  await refused.shows('mobile used too often')
  await refused.says('09351234567')
  fails('auth/$', 401, 'Unauthorized.')
  await refused.taps('profile:ok')
  await refused.shows('for the organizer to mend')

  const unlucky = await meet()
  await unlucky.begins('mood-7', { authRequired: false })
  await unlucky.answersAll()
  fails('record/[^/]+/$', 402, 'No credit.')
  await unlucky.taps(/^submit:/)
  await unlucky.shows('answers refused')
  fails('record/[^/]+/$', 503, 'Unavailable.')
  await unlucky.taps(/^retry:/)
  await unlucky.shows('answers delayed')

  const visitor = await meet()
  fails('record/[^/]+$', 503, 'Unavailable.', 9)
  await visitor.starts(`record_${sandbox.addRecord({ testId: 'mood-7' })}`)
  await visitor.waitsFor(/^retry:/)
  await visitor.shows('service away')
}
