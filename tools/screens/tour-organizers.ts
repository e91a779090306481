import type { Meet, Visitor } from './visitor.ts'

const instant = { testsAuthRequired: false }

/** An organizer finds a record, invites, sees each stage, and is notified of the outcome. */
export async function organizers(meet: Meet): Promise<void> {
  const organizer = await meet('organizer')
  const { sandbox } = organizer
  await organizer.starts()
  await organizer.says('/help')
  await organizer.shows('/help')
  const token = sandbox.addRecord({ testId: 'mood-7', ...instant })
  await organizer.says('/records')
  await organizer.shows('/records')
  await organizer.says(`/records ${token}`)
  await organizer.shows('card')
  await organizer.taps(/^invite:/)
  await organizer.shows('invitation')
  const payload = /start=(i_\S+)/.exec(organizer.said)?.[1]
  await organizer.taps(/^qr:/)
  await organizer.shows('QR code')

  const visitor = await meet()
  await visitor.starts(payload)
  await visitor.shows('introduction of the participant')
  await visitor.taps(/^begin:/)
  await visitor.introduces()
  await visitor.taps('profile:ok')
  await organizer.returns()
  await organizer.says(`/records ${token}`)
  await organizer.shows('card: begun')
  await visitor.answersAll()
  await visitor.taps(/^submit:/)
  await organizer.shows('finished, with the validity card')
  await organizer.taps(/^send:/)
  await organizer.shows('the result')
  await organizer.says('/status')
  await organizer.shows('/status')
  await organizer.taps(/^drop:0/)
  await organizer.shows('drop-off')
  await organizer.says('/status')
  await organizer.taps('audit')
  await organizer.shows('audit')
  await organizer.says('/notices')
  await organizer.shows('/notices')
  await organizer.says(`/invite record ${token}`)
  await organizer.shows('no invitation to what is finished')
  await organizer.says('/invite')
  await organizer.shows('/invite')
}

/** A claim is released: the same person continues on another phone, another person starts again. */
export async function release(meet: Meet): Promise<void> {
  const organizer = await meet('organizer')
  const { sandbox } = organizer
  const token = sandbox.addRecord({ testId: 'mood-7', ...instant })
  const visitor = await meet()
  await visitor.starts(`record_${token}`)
  await visitor.taps(/^begin:/)
  await visitor.introduces()
  await visitor.taps('profile:ok')
  await visitor.taps(/^a:/)
  await visitor.taps(/^a:/)
  await organizer.returns()
  await organizer.starts()
  await frees(organizer, token, 'same')
  const payload = /start=(i_\S+)/.exec(organizer.said)?.[1]
  await visitor.returns()
  await visitor.shows('released from this account')
  const later = await meet()
  await later.starts(payload)
  await later.shows('asked for the mobile')
  await later.says('09351111111')
  await later.shows('another number')
  await later.says('09123456789')
  await later.shows('the same question')

  const other = sandbox.addRecord({ testId: 'mood-7', ...instant })
  const wrong = await meet()
  await wrong.starts(`record_${other}`)
  await wrong.taps(/^begin:/)
  await organizer.returns()
  await frees(organizer, other, 'other')
  const right = await meet()
  await right.starts(`record_${other}`)
  await right.shows('begins at the introduction')
}

/** Each role of a roadmap has its own account; one of them is released for the same person. */
export async function roles(meet: Meet): Promise<void> {
  const organizer = await meet('organizer')
  const token = organizer.sandbox.addRoadmap({ productId: 'couple', ...instant })
  await makesProfiles(organizer, token)
  await organizer.starts()
  await organizer.says(`/roadmaps ${token}`)
  await organizer.shows('card of a roadmap whose profiles exist')
  await organizer.taps(/^invite:.*:11$/)
  await organizer.shows('invitation to one role')
  const payload = () => /start=(i_\S+)/.exec(organizer.said)?.[1]
  const wife = await meet()
  await wife.starts(payload())
  await wife.shows('introduction of the role')
  await wife.taps(/^begin:/)
  await wife.taps(/^open:/)
  await wife.taps(/^a:/)
  await wife.taps(/^a:/)
  await organizer.returns()
  await organizer.says(`/roadmaps ${token}`)
  await organizer.shows('card: one role has begun')
  await organizer.taps(/^release:/)
  await organizer.shows('release the role?')
  await organizer.taps(/^release:.*:same$/)
  await organizer.shows('released, and the way to it')
  const later = await meet()
  await later.starts(payload())
  await later.shows('asked for the mobile of the role')
  await later.says('09123456789')
  await later.shows('the board of the role')
}

/** The organizer's own software made the profiles. */
async function makesProfiles({ sandbox }: Visitor, token: string): Promise<void> {
  const roles = [
    { id: 11, profile: { name: 'زهرا محمدی', birth: '1990-01-01', is_male: false } },
    { id: 12, profile: { name: 'علی رضایی', birth: '1988-01-01', is_male: true } },
  ]
  const { status } = await sandbox.call({
    method: 'POST',
    url: `/v2/roadmap/${token}/auth/`,
    headers: { 'API-KEY': sandbox.key },
    body: JSON.stringify({ mobile: '09123456789', roles }),
  })
  if (status !== 200) throw new Error(`profiles refused with ${status}`)
}

async function frees(organizer: Visitor, token: string, who: 'same' | 'other'): Promise<void> {
  await organizer.says(`/records ${token}`)
  await organizer.taps(/^release:/)
  await organizer.shows(`release: ${who}?`)
  await organizer.taps(new RegExp(`^release:.*:${who}$`))
  await organizer.shows(`released: ${who}`)
}
