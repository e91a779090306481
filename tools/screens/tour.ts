import { SMS_COOLDOWN_MS } from './studio.ts'
import { commands, trouble } from './tour-around.ts'
import { clinic } from './tour-clinic.ts'
import { organizers, release, roles } from './tour-organizers.ts'
import { questions, result } from './tour-questions.ts'
import { roadmap, roadmapResult } from './tour-roadmap.ts'
import type { Meet } from './visitor.ts'

/** A part of the tour; every person in it begins with an empty chat. */
export type Chapter = {
  name: string
  tell: (meet: Meet) => Promise<void>
  /** The chapter plays in the clinic of the demo, which has worked for some weeks. */
  isLivedIn?: true
}

const bySms = { testsAuthRequired: true }

/** Every view of the bot, in the order a participant may meet it. */
export const tour: readonly Chapter[] = [
  { name: '1-begin', tell: begin },
  { name: '2-details', tell: details },
  { name: '3-code', tell: code },
  { name: '4-questions', tell: questions },
  { name: '5-result', tell: result },
  { name: '6-roadmap', tell: roadmap },
  { name: '7-roadmap-result', tell: roadmapResult },
  { name: '8-commands', tell: commands },
  { name: '9-trouble', tell: trouble },
  { name: '10-organizers', tell: organizers },
  { name: '11-release', tell: release },
  { name: '12-roles', tell: roles },
  { name: '13-clinic', tell: clinic, isLivedIn: true },
]

async function begin(meet: Meet): Promise<void> {
  const visitor = await meet()
  const { sandbox } = visitor
  await visitor.showsPhone('before START')
  await visitor.starts()
  await visitor.shows('welcome')
  const token = sandbox.addRecord({ testId: 'life-60', ...bySms })
  await visitor.starts(`record_${token}`)
  await visitor.shows('introduction')
  await visitor.starts(`record_${sandbox.addRecord({ testId: 'women-16' })}`)
  await visitor.shows('introduction with limits')
  await visitor.starts(`record_${sandbox.addRecord({ testId: 'sleep-20', status: 0 })}`)
  await visitor.shows('waiting for the organizer')
  await visitor.starts('record_00000000-0000-4000-8000-000000000000')
  await visitor.shows('unknown invitation')
  await visitor.starts(`record_${sandbox.addRecord({ testId: 'sleep-20', status: 1 })}`)
  await visitor.shows('finished elsewhere')
  const other = await meet()
  await other.starts(`record_${token}`)
  await other.taps(/^begin:/)
  const late = await meet()
  await late.starts(`record_${token}`)
  await late.shows('used invitation')
}

async function details(meet: Meet): Promise<void> {
  const visitor = await meet()
  await visitor.begins('mood-7', bySms)
  await visitor.shows('name')
  await visitor.says('Zahra 5')
  await visitor.shows('name refused')
  await visitor.says('زهرا محمدی')
  await visitor.shows('birth')
  await visitor.says('۱۳۷۵/۱۳/۱۲')
  await visitor.shows('birth refused')
  await visitor.says('75/5/12')
  await visitor.shows('guess')
  await visitor.taps('birth:other')
  await visitor.says('08/03/1996')
  await visitor.shows('ambiguous')
  await visitor.taps('birth:other')
  await visitor.taps('birth:open')
  await visitor.shows('picker: decade')
  for (const step of ['year', 'month', 'day']) {
    await visitor.taps(/^birth:[jg]:(137|199|1375|1996|1375:5|1996:8)$/)
    await visitor.shows(`picker: ${step}`)
  }
  await visitor.taps(/^birth:[jg]:(1375:5:12|1996:8:2)$/)
  await visitor.shows('gender')
  await visitor.taps('gender:female')
  await visitor.shows('mobile')
  await visitor.presses('.reply-keyboard button >> nth=0')
  await visitor.showsPhone('own number')
  await visitor.presses('.dialog-button:not(.yes)')
  await visitor.says('021-88776655')
  await visitor.shows('mobile refused')
  await visitor.says('09423456789')
  await visitor.shows('unusual mobile')
  await visitor.says('+98 912 345 6789')
  await visitor.shows('summary')
  const child = await meet()
  await child.begins('teen-16')
  await child.says('علی رضایی')
  await child.says('1360/1/1')
  await child.shows('age refused')
  await child.says('1390/1/1')
  await child.shows('guardian')
  await child.taps('guardian:no')
  await child.shows('no guardian')
}

async function code(meet: Meet): Promise<void> {
  const visitor = await meet()
  await visitor.begins('mood-7', bySms)
  await visitor.introduces()
  await visitor.taps('profile:ok')
  await visitor.shows('code')
  await visitor.says('سلام')
  await visitor.shows('not a code')
  await visitor.says('00000')
  await visitor.shows('wrong code')
  await visitor.waits(SMS_COOLDOWN_MS)
  await visitor.taps('sms:again')
  // At once, because taking a picture may take longer than the cool-down.
  await visitor.taps('sms:again')
  await visitor.showsPhone('cool-down')
  await visitor.presses('.dialog-button.yes')
  await visitor.showsLast('new code')
  visitor.sandbox.fault({
    kind: 'status',
    status: 400,
    path: 'verify',
    message: 'Verification draft token is invalid or expired.',
  })
  await visitor.says(visitor.code)
  await visitor.shows('expired')
  await visitor.waits(SMS_COOLDOWN_MS)
  await visitor.taps('sms:again')
  await visitor.says(visitor.code)
  await visitor.shows('registered')
}
