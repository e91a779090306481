import { randomBytes } from 'node:crypto'
import { recordFiles, sittingKey } from '../background/kinds.ts'
import { newPerson, readAgeLimits, readRoleGender } from '../domain/profile.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { holderOf, mayAnswer, type RoadmapPart, type RoadmapRecord } from '../domain/roadmap.ts'
import type { Roadmap } from '../service/wire.ts'
import { keepIndex, saveFile } from './files.ts'
import type { Turn } from './turn.ts'

/** Writes what the service says of a roadmap into its file; who was given a role stays. */
export function describeRoadmap(file: RecordFile, roadmap: Roadmap, now: number): void {
  const known = file.roadmap
  const part: RoadmapPart = {
    ...known,
    hands: known?.hands ?? [],
    roles: roadmap.roles.map(({ id, title, min_age, max_age, gender }) => ({
      ...known?.roles.find((role) => role.id === id),
      id,
      title,
      limits: { ...readAgeLimits(min_age, max_age), gender: readRoleGender(gender) },
    })),
    records: roadmap.test_records.map(({ token, test_title: title, role, is_finished, status }) => {
      const record = known?.records.find((each) => each.token === token)
      const isFinished = is_finished || status === 1 || record?.isFinished === true
      return { s: record?.s ?? randomBytes(6).toString('base64url'), token, title, role, isFinished }
    }),
  }
  file.roadmap = part
  file.seenAt = now
  file.test.title = roadmap.display_title || roadmap.roadmap.title || ''
  file.testsAuthRequired = roadmap.tests_auth_required
  if (!roadmap.auth_required) delete file.draft
  else file.draft ??= { people: part.roles.map(({ id, title, limits }) => newPerson(limits, { id, title })) }
}

/** The profiles are there: every test of the package gets a file of its own and can be begun. */
export async function openBoard(turn: Turn, file: RecordFile): Promise<void> {
  const { roadmap, owner = turn.who } = file
  if (!roadmap) return
  if (owner === turn.who) roadmap.ownerChatId ??= turn.account.chatId
  if (file.stage !== 'generating' && file.stage !== 'failed') file.stage = 'board'
  for (const record of roadmap.records) {
    const kept = await turn.work.get(recordFiles, record.s)
    if (!kept) beginRecordFile(turn, file, record, holderOf(roadmap, record.role, owner))
    else if (record.isFinished && kept.stage !== 'done') {
      saveFile(turn, { ...kept, stage: 'done' })
      turn.work.putBytes(sittingKey(record.s), null)
    } else if (!record.isFinished && kept.stage === 'done') saveFile(turn, { ...kept, stage: 'new' })
  }
}

function beginRecordFile(turn: Turn, file: RecordFile, record: RoadmapRecord, owner: string): void {
  const role = file.roadmap?.roles.find(({ id }) => id === record.role)
  // Its own link leads to the board, and nobody else anywhere.
  keepIndex(turn, record)
  saveFile(turn, {
    s: record.s,
    token: record.token,
    stage: record.isFinished ? 'done' : 'new',
    test: { title: record.title, limits: role?.limits ?? { minAge: null, maxAge: null, gender: 'both' } },
    testsAuthRequired: file.testsAuthRequired,
    owner,
    seenAt: turn.now,
    parent: { s: file.s, role: record.role },
  })
}

/** Reads the roadmap of one of its records. */
export async function parentOf(turn: Turn, file: RecordFile): Promise<RecordFile | undefined> {
  const parent = file.parent && (await turn.work.get(recordFiles, file.parent.s))
  return parent && structuredClone(parent)
}

/** Whether this account may answer a record of a roadmap now. */
export function mayAnswerNow(turn: Turn, { parent: own }: RecordFile, parent: RecordFile): boolean {
  const { roadmap, stage, owner = turn.who } = parent
  const isOpen = stage === 'board' || stage === 'failed'
  return isOpen && !!roadmap && !!own && mayAnswer(roadmap, own.role, turn.who, owner)
}

/** Notes in its roadmap that a record is finished. Returns the roadmap. */
export async function markFinished(turn: Turn, file: RecordFile): Promise<RecordFile | undefined> {
  const parent = await parentOf(turn, file)
  const record = parent?.roadmap?.records.find(({ s }) => s === file.s)
  if (!parent || !record) return undefined
  record.isFinished = true
  saveFile(turn, parent)
  return parent
}
