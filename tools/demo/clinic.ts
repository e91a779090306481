import { randomBytes, randomUUID } from 'node:crypto'
import { type Config, loadConfig } from '../../src/config.ts'
import { begun, FREE } from '../../src/domain/assignee.ts'
import { applyMove, newAttempt } from '../../src/domain/attempt.ts'
import { openAttempt } from '../../src/domain/attempt-layout.ts'
import { DAY_MS, HOUR_MS } from '../../src/domain/durations.ts'
import { newDraft } from '../../src/domain/profile.ts'
import { inOrder, type Questionnaire } from '../../src/domain/questionnaire.ts'
import { newRecordFile, type RecordFile, type RecordState } from '../../src/domain/record/record.ts'
import { RECOUNTED } from '../../src/jobs/stage-counts.ts'
import { openStorage } from '../../src/open-storage.ts'
import { readQuestions } from '../../src/service/questionnaire-wire.ts'
import { askedQuestions, unansweredQuestions } from '../../src/storage/documents/asked-questions.ts'
import { attemptKey, attemptOwner } from '../../src/storage/documents/attempts.ts'
import { enrolments, noteTest } from '../../src/storage/documents/enrolments.ts'
import {
  accounts,
  assignees,
  questionnaires,
  recordFiles,
  tokenIndex,
  tokenKey,
} from '../../src/storage/documents/kinds.ts'
import { questionsId } from '../../src/storage/documents/questions.ts'
import { attemptExpiry } from '../../src/storage/documents/retention.ts'
import { createUnitOfWork, type UnitOfWork } from '../../src/storage/unit-of-work.ts'
import type { Vault } from '../../src/storage/vault.ts'
import type { Emulator } from '../emulator/emulator.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { type Case, cases, questionsAsked } from './clinic-cases.ts'

type Worlds = { emulator: Emulator; sandbox: Sandbox }
type Clinic = Worlds & {
  config: Config
  vault: Vault
  work: UnitOfWork
  now: number
  questions: Questionnaire
}

const TEST = 'mood-7'
/** Base of the account ids of people who are in no chat of the page. */
const ELSEWHERE_ID = 7_000_000

/**
 * Plants a clinic that has worked for some weeks: the data that the service and the bot store about 75
 * records and twelve families. It is written before the bot starts, so that an organizer finds a day's work.
 */
export async function plantClinic({ emulator, sandbox }: Worlds, env: Record<string, string>): Promise<void> {
  const loaded = loadConfig(env)
  if (!loaded.ok) throw new Error('the environment of the demo is wrong')
  const { store, vault } = await openStorage(loaded.config)
  const now = Date.now()
  const { retentionDays } = loaded.config
  /** Writes a case as of the time at which it reached its stage. */
  async function asOf(at: number, act: (work: UnitOfWork) => Promise<void>): Promise<void> {
    await store.post({ actor: 'expiry:clinic', id: randomUUID(), body: Buffer.alloc(0) })
    const claim = await store.claim(60_000, ['expiry'])
    const work = claim && createUnitOfWork({ store, vault, term: { now: at, retentionDays } }, claim)
    if (!work) throw new Error('the store of the demo gave no claim')
    await act(work)
    await work.commit()
  }
  const questions = await questionsOf(sandbox)
  const shared = { emulator, sandbox, config: loaded.config, vault, now, questions }
  for (const [nth, one] of cases().entries())
    await asOf(now - one.hours * HOUR_MS, (work) => plant({ ...shared, work }, one, nth))
  await asOf(now, async (work) => {
    work.put(questionnaires, questionsId(vault, contentOf(shared)), questions)
    work.recount({ id: RECOUNTED, list: RECOUNTED, at: now })
  })
  await store.close()
}

async function questionsOf(sandbox: Sandbox): Promise<Questionnaire> {
  const token = sandbox.addRecord({ testId: TEST, authRequired: false })
  const { body } = await sandbox.call({
    method: 'GET',
    url: `/v2/record/${token}/questions/`,
    headers: { 'api-key': sandbox.key },
  })
  return readQuestions(JSON.parse(body).data)
}

const contentOf = ({ vault, questions }: Pick<Clinic, 'vault' | 'questions'>): string =>
  vault.digest('content', JSON.stringify(questions)).toString('hex')

/** Stores one record or family as the service and the bot would. */
async function plant(clinic: Clinic, one: Case, nth: number): Promise<void> {
  const { emulator, vault, work, now } = clinic
  const { stage, name, hours } = one
  const at = now - hours * HOUR_MS
  const person = one.isHere ? emulator.person({ firstName: name.split(' ')[0] ?? name }) : undefined
  // Makes the bot show them their present step when it starts.
  person?.start()
  const chatId = person?.id ?? ELSEWHERE_ID + nth
  const who = vault.hash('account', String(chatId))
  const token = issue(clinic, one, nth)
  const s = randomBytes(6).toString('base64url')
  const isBegun = stage !== 'opened' && stage !== 'waiting'
  const title = one.isFamily ? 'نقشهٔ راه خانواده (نمونه)' : 'حال این دو هفته (نمونه)'
  const limits = { minAge: 14, maxAge: 90, gender: 'both' } as const
  const file: RecordFile = {
    ...newRecordFile({ s, token, seenAt: at }, one.isFamily ? 'roadmap' : 'record'),
    test: { title, ...(!one.isFamily && { questions: 7, minutes: 2 }), limits },
    state: stateOf(clinic, one),
    ...(isBegun && { isBegun: true as const, chatId }),
    ...(one.externalId !== undefined && { externalId: one.externalId }),
    ...(one.isStuck && { stuckAt: at }),
    ...(one.isFlagged && { isFlagged: true as const, validity: { fast: 7, run: 7, activeMinutes: 1 } }),
    ...(stage === 'owed' && { isHeldBack: true as const }),
    ...(stage === 'delivered' && { finishedAt: at, caseNumber: `C-${1_400 + nth}` }),
    ...(hasProfile(one) && { person: name.split(' ')[0], ...(stage !== 'delivered' && { shownAs: name }) }),
  }
  work.put(recordFiles, s, file)
  const id = tokenKey(vault, token)
  work.put(tokenIndex, id, isBegun ? { s, isClaimed: true } : { s })
  const kind = one.isFamily ? 'roadmap' : 'record'
  const enrolled = { s, token, kind, title, openedAt: at - HOUR_MS } as const
  work.put(enrolments, id, isBegun ? { ...enrolled, begunAt: at - HOUR_MS } : enrolled)
  if (!isBegun) return
  const consent = { at: at - HOUR_MS, language: 'fa', version: 1 } as const
  const taken = begun(FREE, { who, consent, chatId, language: 'fa' }, { isInvited: false })
  if (taken) work.put(assignees, id, stage === 'delivered' ? { ...taken, is: 'over' } : taken)
  work.put(accounts, who, { chatId, items: [s], screens: {}, pending: {}, activeAt: at, focus: s })
  if (one.answered !== undefined) await answer(clinic, { s, who, at, answered: one.answered })
  await ask(clinic, one, { s, who, chatId })
}

const hasProfile = ({ stage }: Case): boolean =>
  stage === 'answering' || stage === 'submitting' || stage === 'delivered' || stage === 'owed'

/** Issues the record or roadmap at the service, and registers the profile if the case has one. */
function issue({ sandbox }: Clinic, one: Case, nth: number): string {
  const { stage, name, externalId } = one
  const isDone = stage === 'delivered' || stage === 'owed' || stage === 'elsewhere'
  const status = isDone ? 1 : stage === 'waiting' ? 0 : 2
  const token = one.isFamily
    ? sandbox.addRoadmap({ productId: 'family' })
    : sandbox.addRecord({ testId: TEST, testsAuthRequired: true, status })
  const birth = `19${70 + (nth % 30)}-05-12`
  const mobile = `0912${String(1_000_000 + nth)}`
  const isKnown = !one.isFamily && (hasProfile(one) || stage === 'elsewhere')
  const profile = {
    name,
    birth,
    is_male: nth % 2 === 1,
    mobile,
    ...(externalId !== undefined && { external_id: externalId }),
  }
  if (isKnown) sandbox.register(token, profile)
  return token
}

function stateOf(clinic: Clinic, one: Case): RecordState {
  const { now } = clinic
  const questions = { content: contentOf(clinic), count: 7 }
  const draft = newDraft([{ limits: { minAge: 14, maxAge: 90, gender: 'both' } }])
  switch (one.stage) {
    case 'opened':
      return { stage: 'intro', needsProfile: true }
    case 'waiting':
      return { stage: 'waiting', waits: { since: now - one.hours * HOUR_MS, externalId: one.externalId } }
    case 'profile':
      return {
        stage: 'profile',
        draft: { people: draft.people.map((each) => ({ ...each, name: one.name })) },
      }
    case 'code': {
      const sms = { draftToken: 'clinic', mobile: '09120000000', expiresAt: now - DAY_MS }
      const people = draft.people.map((each) => ({
        ...each,
        name: one.name,
        birth: '1990-05-12',
        gender: 'female' as const,
      }))
      return { stage: 'code', draft: { people, mobile: sms.mobile }, sms }
    }
    case 'answering':
      return { stage: 'questions', questions }
    case 'submitting':
      return { stage: 'submitting', questions }
    case 'analysis':
      return { stage: 'generating' }
    case 'owed':
      return { stage: 'scored', questions }
    case 'delivered':
      return { stage: 'done' }
    case 'elsewhere':
      return { stage: 'elsewhere' }
  }
}

type Answered = { s: string; who: string; at: number; answered: number }

/** Stores the first answers of an attempt, the last one given at this time. */
async function answer(clinic: Clinic, { s, who, at, answered }: Answered): Promise<void> {
  const { vault, work, config, questions } = clinic
  const id = randomBytes(8)
  const owner = attemptOwner(vault, { who, s }, { id })
  let value = newAttempt({
    ...{ owner, id, questions: inOrder(questions).length, language: 'fa', dataKey: vault.dataKey },
    contentHash: Buffer.from(contentOf(clinic), 'hex'),
    retentionSeconds: (config.retentionDays * DAY_MS) / 1_000,
    at: at - answered * 8_000,
  })
  for (let question = 0; question < answered; question += 1) {
    const attempt = openAttempt(value)
    const { revision } = attempt
    const encrypted = vault.attemptCipher.encryptAnswer(attempt, { question, revision, option: question % 4 })
    const move = { kind: 'answer', owner, question, revision, allowBack: true, ...encrypted } as const
    value = applyMove(value, move, at - (answered - question - 1) * 8_000).changed?.value ?? value
  }
  await noteTest(work, 'حال این دو هفته (نمونه)', at)
  work.putBytes(attemptKey(s), value, attemptExpiry({ now: at, retentionDays: config.retentionDays }))
}

/** Stores a question that no organizer has answered yet. */
async function ask({ work, now }: Clinic, one: Case, whose: { s: string; who: string; chatId: number }) {
  const text = one.question === undefined ? undefined : questionsAsked[one.question]
  if (text === undefined) return
  const id = `clinic${one.question}`
  const at = now - (one.question ?? 0) * HOUR_MS - HOUR_MS
  work.put(askedQuestions, id, { ...whose, text, at, told: [] })
  const { asked = {} } = (await work.get(unansweredQuestions, 'all')) ?? {}
  work.put(unansweredQuestions, 'all', { asked: { ...asked, [id]: at } })
}
