import { newDraft } from '../../src/domain/profile.ts'
import {
  isSpent,
  newRecordFile,
  type RecordFile,
  type RecordState,
  type Sms,
} from '../../src/domain/record/record.ts'

export const NOW = 1_800_000_000_000
export const limits = { minAge: 18, maxAge: null, gender: 'both' } as const
const draft = { ...newDraft([{ limits }]), mobile: '09123456789' }
export const sms = { draftToken: 'draft-1', mobile: '09123456789', expiresAt: NOW + 60_000 }
export const questions = { content: 'sha256-of-the-questions', count: 567 }

/** Every stage, with and without its optional fields; named by the fields. */
export const states = {
  new: { stage: 'new' },
  waiting: { stage: 'waiting' },
  'waiting: waits': { stage: 'waiting', waits: { since: NOW } },
  'waiting: draft': { stage: 'waiting', draft },
  'waiting: draft waits': { stage: 'waiting', draft, waits: { since: NOW } },
  'waiting: draft answered': { stage: 'waiting', draft, answered: questions },
  'waiting: draft answered waits': {
    stage: 'waiting',
    draft,
    answered: questions,
    waits: { since: NOW },
  },
  intro: { stage: 'intro', needsProfile: false },
  'intro: needsProfile': { stage: 'intro', needsProfile: true },
  'profile: draft': { stage: 'profile', draft },
  'profile: draft answered': { stage: 'profile', draft, answered: questions },
  'code: draft sms': { stage: 'code', draft, sms },
  'code: draft sms answered': { stage: 'code', draft, sms, answered: questions },
  'code: draft sms(code)': { stage: 'code', draft, sms: { ...sms, code: '1234' } },
  'code: draft sms(code) answered': {
    stage: 'code',
    draft,
    sms: { ...sms, code: '1234' },
    answered: questions,
  },
  'code: draft sms(wrong)': { stage: 'code', draft, sms: { ...sms, wrong: 1 } },
  'code: draft sms(wrong) answered': { stage: 'code', draft, sms: { ...sms, wrong: 1 }, answered: questions },
  'code: draft sms(code wrong)': { stage: 'code', draft, sms: { ...sms, code: '1234', wrong: 4 } },
  'code: draft sms(code wrong) answered': {
    stage: 'code',
    draft,
    sms: { ...sms, code: '1234', wrong: 3 },
    answered: questions,
  },
  'code: draft sms(spent)': { stage: 'code', draft, sms: { ...sms, wrong: 5 } },
  'given: draft': { stage: 'given', draft },
  loading: { stage: 'loading' },
  'questions: questions': { stage: 'questions', questions },
  'submitting: questions': { stage: 'submitting', questions },
  'refused: questions': { stage: 'refused', questions },
  'refused: questions isOurs': { stage: 'refused', questions, isOurs: true },
  board: { stage: 'board' },
  generating: { stage: 'generating' },
  'generating: expectedMinutes': { stage: 'generating', expectedMinutes: '5-10' },
  'failed: reasons': { stage: 'failed', reasons: ['too short'] },
  scored: { stage: 'scored' },
  'scored: questions': { stage: 'scored', questions },
  done: { stage: 'done' },
  'done: isOwed': { stage: 'done', isOwed: true },
  elsewhere: { stage: 'elsewhere' },
  'elsewhere: ofRoadmap': { stage: 'elsewhere', ofRoadmap: true },
  'elsewhere: isOthers': { stage: 'elsewhere', isOthers: true },
} as const satisfies Record<string, RecordState>

export type Shape = keyof typeof states
export const shapes = Object.keys(states) as Shape[]

/** The name of a state in this list. */
export function shapeOf(state: RecordState | undefined): string {
  if (!state) return 'not here'
  const there = Object.entries(state).flatMap(([key, value]) => {
    if (key === 'stage' || value === undefined || value === false) return []
    return [key === 'sms' ? nameOf(value as Sms) : key]
  })
  return there.length > 0 ? `${state.stage}: ${there.sort(byOrder).join(' ')}` : state.stage
}
function nameOf(sms: Sms): string {
  if (isSpent(sms)) return 'sms(spent)'
  const there = [...(sms.code === undefined ? [] : ['code']), ...(sms.wrong ? ['wrong'] : [])]
  return there.length > 0 ? `sms(${there.join(' ')})` : 'sms'
}
const ORDER = ['draft', 'sms', 'answered', 'waits', 'questions']
const byOrder = (one: string, other: string) => place(one) - place(other)
function place(key: string): number {
  const index = ORDER.indexOf(key.replace(/\(.*/, ''))
  return index < 0 ? ORDER.length : index
}

const opened = { s: 'abc', token: 'token', seenAt: NOW - 1 }
const record = newRecordFile(opened, 'record')
const roadmap = newRecordFile(opened, 'roadmap')
export const part = { roles: [{ id: 1, title: 'Parent', limits }], records: [], hands: [] }

/** The kinds of files: of a record or a roadmap, begun or not. */
export const files = {
  'a record that nobody has begun': record,
  'a record': { ...record, isBegun: true, chatId: 1 },
  'a roadmap that nobody has begun': { ...roadmap, roadmap: part },
  'a roadmap': { ...roadmap, roadmap: part, isBegun: true, chatId: 1 },
  'a roadmap with its board open': {
    ...roadmap,
    roadmap: { ...part, isOpened: true },
    isBegun: true,
    chatId: 1,
  },
  'a test of a roadmap': { ...record, isBegun: true, parent: { s: 'package', role: 1 } },
} satisfies Record<string, RecordFile>
export type FileKind = keyof typeof files

/** A copy of a file in a state, so that tests do not see each other's changes. */
export const fileIn = (kind: FileKind, shape: Shape): RecordFile =>
  structuredClone({ ...files[kind], state: states[shape] })
