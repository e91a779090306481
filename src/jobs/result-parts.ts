import { setImmediate } from 'node:timers/promises'
import { InputFile } from 'grammy'
import { LRUCache } from 'lru-cache'
import { languageOf } from '../domain/account.ts'
import { type FamilyFigures, familyFigures, withEarlier } from '../domain/family-figures.ts'
import { roleLabel, titleOf } from '../domain/record/names.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { readResult } from '../domain/result.ts'
import type { RoadmapPart } from '../domain/roadmap.ts'
import { type ResultSection, readRoadmapResult, whoIsIn } from '../domain/roadmap-result.ts'
import { partsOf } from '../domain/sentences.ts'
import { hasFigure } from '../pictures/card.ts'
import { underPolicy } from '../pictures/policy.ts'
import { formatDay } from '../pictures/text.ts'
import { accountKey, accounts, type OwedResult, type ResultPart } from '../storage/documents/kinds.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { Sender } from '../telegram/sender.ts'
import { type Language, plain, type Translate } from '../texts/texts.ts'
import { withAsk } from '../views/ask.ts'
import {
  clip,
  familyCaption,
  MOST_MESSAGES,
  resultMessages,
  roadmapMessages,
  shareReportButton,
} from '../views/result.ts'
import { lines, unfolded } from '../views/view.ts'
import type { JobDeps, With } from './deps.ts'
import type { FetchedResult } from './fetch-result.ts'
import type { Entitled } from './recipients.ts'

type PartsDeps = ContentDeps & { isInline?: boolean }

/** Splits a result into parts for each of its recipients, and sends them. */
export function createResultParts(deps: PartsDeps) {
  const { texts, config } = deps
  const pictures = createPictures(deps)

  return {
    async of(
      work: UnitOfWork,
      file: RecordFile,
      result: FetchedResult,
      everybody: readonly Entitled[],
    ): Promise<ResultPart[]> {
      const parts: ResultPart[] = []
      for (const member of everybody) {
        const { chatId, who = accountKey(work.vault, chatId), language: locale } = member
        const account = await work.get(accounts, who)
        const recipient = { chatId, language: languageOf(account, { locale }), isLarge: account?.isLarge }
        const drawn = await pictures(file, result, recipient.language)
        const written = await messagesOf(deps, file, result, recipient.language)
        parts.push(
          ...partsFor(recipient, {
            drawn: drawn.length,
            written: written.length,
            isReported: hasReport(result),
          }),
        )
      }
      return parts
    },

    async send(
      sender: Sender,
      file: RecordFile,
      owed: OwedResult,
      { chatId, language, isLarge, kind, index }: ResultPart,
    ): Promise<undefined> {
      const t = texts.for(language)
      const title = clip(titleOf(file))
      switch (kind) {
        case 'picture': {
          const all = await pictures(file, owed, language)
          const picture = all[index]
          const caption = file.roadmap
            ? captionOfFamily(t, file, owed)
            : withEarlierDate(
                t,
                t('result-picture-caption', { title, page: index + 1, pages: all.length }),
                owed,
              )
          if (picture) await sender.photo(chatId, pictureFile(picture, index), caption)
          return undefined
        }
        case 'pdf':
          return void (await sendPdf(deps, sender, file, owed, { chatId, language, pictures }))
        case 'document':
          await sender.document(chatId, reportFile(file, owed), t('result-document-caption', { title }))
          return undefined
        case 'text': {
          // An earlier version may have made more messages of the text.
          const written = await messagesOf(deps, file, owed, language)
          const text = isLarge ? unfolded(written[index] ?? '') : written[index]
          const hasAskButton = index === written.length - 1 && !config.organizers.includes(chatId)
          if (text) await sender.send(chatId, hasAskButton ? withAsk(t, file.s, { text }) : { text })
          return undefined
        }
      }
    },
  }
}

async function sendPdf(
  deps: PartsDeps,
  sender: Sender,
  file: RecordFile,
  owed: OwedResult,
  { chatId, language, pictures }: Recipient & { pictures: ReturnType<typeof createPictures> },
): Promise<void> {
  const pdf = await pdfOf(deps, file, owed, language, await pictures(file, owed, language))
  const t = deps.texts.for(language)
  const caption = t('result-pdf-caption', { title: clip(titleOf(file)) })
  const shareButton = deps.isInline ? (fileId: string) => shareReportButton(t, fileId) : undefined
  await sender.document(chatId, new InputFile(pdf, reportName(file, 'pdf')), caption, [], shareButton)
}

type Recipient = Pick<ResultPart, 'chatId' | 'language' | 'isLarge'>

/** The parts that one recipient is owed, in order. */
function partsFor(
  recipient: Recipient,
  { drawn, written, isReported }: { drawn: number; written: number; isReported: boolean },
): ResultPart[] {
  return [
    ...Array.from({ length: drawn }, (_, index): ResultPart => ({ ...recipient, kind: 'picture', index })),
    ...Array.from({ length: written }, (_, index): ResultPart => ({ ...recipient, kind: 'text', index })),
    { ...recipient, kind: 'pdf', index: 0 },
    ...(isReported ? [{ ...recipient, kind: 'document', index: 0 } as const] : []),
  ]
}

/** The caption of the picture of a roadmap, with the people whom it shows. */
function captionOfFamily(t: Translate, { test, roadmap }: RecordFile, result: FetchedResult): string {
  const people = roadmap ? figuresOf(roadmap, result).people : []
  return familyCaption(t, { title: test.title, people: people.filter((person) => person !== '') })
}

/** Adds the date of an earlier result that is drawn, too. */
const withEarlierDate = (t: Translate, caption: string, { earlier }: OwedResult): string =>
  lines(caption, earlier && t('result-then', { date: formatDay(t.language, new Date(earlier.at)) }))

const pictureFile = (picture: Buffer, index: number) => new InputFile(picture, `result-${index + 1}.png`)

const reportFile = (file: RecordFile, { html = '' }: OwedResult): InputFile =>
  new InputFile(Buffer.from(underPolicy(html)), reportName(file, 'html'))

function reportName({ s, roadmap, test, caseNumber }: RecordFile, ending: 'html' | 'pdf'): string {
  const name = roadmap ? `${forFile(test.title)}-${s}` : (caseNumber && forFile(caseNumber)) || s
  return `report-${name}.${ending}`
}

/** Makes a text fit for a file name: a case number such as PR-1405/00127 must not name a folder. */
const forFile = (text: string): string => text.replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-').replace(/^-+|-+$/g, '')

/** Limits for text messages beside pictures: a record has several pictures, a family has one. */
const MOST_BESIDE_PICTURES = 6
const MOST_BESIDE_ONE = MOST_MESSAGES - 1
/** Far more messages than results have: some forty pages. */
const MOST_IN_THE_PDF = 20
/** The pictures of this many results are kept in the process while they are sent. */
const RESULTS_UNDER_WAY = 32

type ContentDeps = Pick<JobDeps, 'texts' | 'cards'> & With<'supportText' | 'organizers'>

const hasReport = ({ html, isReportAwaited }: FetchedResult): boolean =>
  html !== undefined || isReportAwaited === true

/** Writes a result as messages, at most as many as people read in a chat. */
export async function messagesOf(
  { texts, config }: ContentDeps,
  file: RecordFile,
  result: FetchedResult,
  language: Language,
  most = !hasFigures(file, result) ? MOST_MESSAGES : file.roadmap ? MOST_BESIDE_ONE : MOST_BESIDE_PICTURES,
): Promise<string[]> {
  const t = texts.for(language)
  const { roadmap } = file
  const common = {
    title: titleOf(file),
    supportText: config.supportText,
    hasReport: hasReport(result),
    isCut: result.isCut,
    isFigureless: result.json === undefined,
    most,
  }
  await setImmediate() // other work runs before a large result is read again
  if (!roadmap) return resultMessages(t, { ...common, result: readResult(result.json) })
  const people = roadmap.roles.map(roleLabel)
  const { passages, sections } = readRoadmapResult(result.json, whoIsIn(roadmap))
  // The head already has the title of the roadmap.
  const whole = passages.filter(({ text }) => text !== file.test.title)
  return roadmapMessages(t, { ...common, people, result: { passages: whole, sections } })
}

/** The longest text for one line of the report, which wraps it. */
const LETTERS_A_LINE = 380

/** A result as a PDF: its pictures, then its whole text. */
async function pdfOf(
  deps: ContentDeps,
  file: RecordFile,
  result: FetchedResult,
  language: Language,
  pictures: readonly Buffer[],
): Promise<Buffer> {
  const t = deps.texts.for(language)
  const messages = await messagesOf(deps, file, result, language, MOST_IN_THE_PDF)
  // The head of the first page already has the first line.
  const [, ...said] = messages.join('\n').split('\n')
  const lines = said.flatMap((html) => {
    const side = { isHead: /^[\u200e\u200f]?<b>/.test(html), isFromLeft: html.startsWith('\u200e') }
    return [...partsOf(plain(html), LETTERS_A_LINE)].map((text) => ({ text, ...side }))
  })
  const { caseNumber, roadmap } = file
  const common = { t, title: titleOf(file), date: dateOf(file, result), note: t.plain('report-note') }
  return deps.cards.report({ ...common, ...(caseNumber && !roadmap && { caseNumber }), lines, pictures })
}

/** Draws the pictures of results, each once for all of its parts and recipients. */
export function createPictures(deps: ContentDeps) {
  const known = new LRUCache<string, Promise<Buffer[]>>({ max: RESULTS_UNDER_WAY })

  return async (file: RecordFile, result: FetchedResult, language: Language): Promise<Buffer[]> => {
    const most = MOST_MESSAGES - (await messagesOf(deps, file, result, language)).length
    const key = `${file.s}:${result.date}:${language}:${most}`
    const drawn = known.get(key) ?? draw(deps, file, result, language, most)
    known.set(key, drawn)
    drawn.catch(() => known.delete(key))
    return drawn
  }
}

/** Draws a result on at most `most` pictures; on none if it has no figures. */
async function draw(
  { texts, cards }: ContentDeps,
  file: RecordFile,
  result: FetchedResult,
  language: Language,
  most: number,
): Promise<Buffer[]> {
  const t = texts.for(language)
  const common = { t, title: file.test.title, date: dateOf(file, result), note: t.plain('card-note') }
  if (file.roadmap) {
    const picture = await cards.familyCard({ ...common, ...figuresOf(file.roadmap, result) })
    return picture ? [picture] : []
  }
  const { caseNumber } = file
  const { earlier } = result
  const scales = withEarlier(readResult(result.json).scales, readResult(earlier?.json).scales)
  return cards.recordCards({
    ...common,
    ...(caseNumber && { caseNumber }),
    ...(earlier && { earlierDate: new Date(earlier.at) }),
    scales,
    most,
  })
}

/** The date of the result, whenever it is requested. */
const dateOf = ({ finishedAt }: RecordFile, { date }: FetchedResult) => new Date(finishedAt ?? date)

/** Whether there is anything to draw. */
const hasFigures = ({ roadmap }: RecordFile, result: FetchedResult): boolean =>
  roadmap ? figuresOf(roadmap, result).tests.length > 0 : readResult(result.json).scales.some(hasFigure)

/** The figures of all people; fetched single results replace those in the combined result. */
function figuresOf(roadmap: RoadmapPart, { json, records = [] }: FetchedResult): FamilyFigures {
  const whoIs = whoIsIn(roadmap)
  const own = records.flatMap((result): ResultSection[] => {
    const record = roadmap.records.find(({ s }) => s === result.s)
    const role = record && whoIs({ token: record.token })
    return record && role ? [{ title: record.title, role, scales: readResult(result.json).scales }] : []
  })
  const { sections } = readRoadmapResult(json, whoIs)
  return familyFigures([...own, ...sections.filter(({ title }) => own.every((test) => test.title !== title))])
}
