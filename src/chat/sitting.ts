import { randomBytes } from 'node:crypto'
import { inOrder, type PlacedQuestion } from '../domain/questionnaire.ts'
import { type Questions, questionsOf, type RecordFile } from '../domain/record/record.ts'
import {
  newSitting,
  type Sitting,
  type SittingMove,
  type SittingReply,
  sittingKeptUntil,
} from '../domain/sitting.ts'
import { encodeSitting } from '../domain/sitting-layout.ts'
import { questionnaires, recordFiles } from '../kept/documents.ts'
import { sittingExpiry } from '../kept/retention.ts'
import { openSittingOf, ownerOf, RELEASED, sittingKey } from '../kept/sittings.ts'
import type { Turn } from './turn.ts'

/** Begins a sitting at its first question. */
export function beginSitting(turn: Turn, s: string, { content, count }: Questions): void {
  const { vault, config } = turn.deps
  const { retentionDays } = config
  const id = randomBytes(8)
  const sitting = newSitting({
    owner: ownerOf(vault, turn.who, id),
    id,
    contentHash: Buffer.from(content, 'hex'),
    questions: count,
    language: turn.language,
    dataKey: vault.dataKey,
    retentionSeconds: retentionDays * 86_400,
    at: turn.now,
  })
  turn.work.putBytes(sittingKey(s), sitting, sittingExpiry({ now: turn.now, retentionDays }))
}

/** The answers leave. */
export const endSitting = ({ work }: Turn, s: string): void => work.putBytes(sittingKey(s), null)

/** From here on nobody moves it until somebody takes it over; what was answered a moment before is in it. */
export async function releaseSitting(turn: Turn, s: string, from: string): Promise<void> {
  const { store, vault } = turn.deps
  const sitting = await readSittingOf(turn, s, from)
  if (!sitting) return
  const { id } = sitting
  const [owner, to] = [ownerOf(vault, from, id), ownerOf(vault, RELEASED, id)]
  await store.answer(sittingKey(s), { kind: 'hand', owner, to, at: turn.deps.now() })
}

/** Gives a released sitting to this account, in the step in which its claim passes. */
export async function takeSitting(turn: Turn, s: string): Promise<void> {
  const sitting = await readSittingOf(turn, s, RELEASED)
  if (!sitting) return
  const owner = ownerOf(turn.deps.vault, turn.who, sitting.id)
  turn.work.putBytes(
    sittingKey(s),
    encodeSitting({ ...sitting, owner, language: turn.language }),
    sittingKeptUntil(sitting, turn.now),
  )
}

type MoveOfKind<M> = M extends SittingMove ? Omit<M, 'owner' | 'at'> : never

/** Moves a sitting that was just read. */
export function moveSitting(
  turn: Turn,
  s: string,
  { id }: Sitting,
  move: MoveOfKind<SittingMove>,
): Promise<SittingReply> {
  const { store, vault } = turn.deps
  return store.answer(sittingKey(s), { ...move, owner: ownerOf(vault, turn.who, id), at: turn.deps.now() })
}

/** Reads the sitting of a record, if it is that of the account whose record it is. */
export async function readSitting(turn: Turn, s: string): Promise<Sitting | undefined> {
  const owner = (await turn.work.get(recordFiles, s))?.owner
  return owner === undefined ? undefined : readSittingOf(turn, s, owner)
}

async function readSittingOf({ deps }: Turn, s: string, who: string): Promise<Sitting | undefined> {
  const [entry] = await deps.store.read([sittingKey(s)])
  return entry && openSittingOf(deps.vault, who, entry)
}

/** The questions of a record in their order; `undefined` when they are not kept any more. */
export async function placedQuestions(turn: Turn, file: RecordFile): Promise<PlacedQuestion[] | undefined> {
  const content = questionsOf(file)?.content
  const questionnaire = content === undefined ? undefined : await turn.work.get(questionnaires, content)
  return questionnaire && inOrder(questionnaire)
}

/** Writes the code that proves the answers unharmed, once all are there; it is checked before they are sent. */
export async function seal(turn: Turn, s: string, sitting: Sitting): Promise<void> {
  const { sittingCipher } = turn.deps.vault
  if (sittingCipher.verify(sitting) !== 'unsealed') return
  const { revision } = sitting
  await moveSitting(turn, s, sitting, { kind: 'seal', revision, mac: sittingCipher.mac(sitting) })
}
