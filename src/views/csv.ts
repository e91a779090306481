import { linkTo } from '../domain/invitation.ts'
import type { LineFlaw } from '../domain/invitation-lines.ts'
import { type BatchRow, lineProblemOf } from '../storage/documents/invitations.ts'
import type { ResultRow } from '../storage/documents/result-tables.ts'
import { shorten, type Translate } from '../texts/texts.ts'

/** Without it spreadsheets do not read Persian. */
const BOM = '\uFEFF'

/** A table for a spreadsheet or an organizer's own software. */
const csv = (columns: string, rows: readonly (readonly string[])[]): string =>
  [headOf(columns), ...rows.map(lineOf)].join('')

const headOf = (columns: string): string => `${BOM}${columns}\r\n`
const lineOf = (row: readonly string[]): string => `${row.map(cell).join(',')}\r\n`

/** One cell, in quotes where it needs them. */
const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

type InvitationRow = Omit<BatchRow, 'roleIds' | 'details'>

/** Invitations as a table, with the errors in the organizer's language. */
export const invitationCsv = (rows: readonly InvitationRow[], username: string, t: Translate): string =>
  csv(
    'token,kind,external_id,code,link,error,title,name,line,same_as_line,given',
    rows.map((row) => {
      const { token, kind = '', externalId, externalIds = [], code, title = '', person = '' } = row
      return [
        harmless(token),
        kind,
        externalId === undefined
          ? harmless(externalIds.map((id) => id ?? '-').join(' '))
          : String(externalId),
        code ?? '',
        code === undefined ? '' : linkTo(username, `i_${code}`),
        errorText(t, row),
        ...[title, person].map(harmless),
        ...[row.line, row.sameAs].map(numeral),
        harmless(row.given ?? ''),
      ]
    }),
  )

/** The error of a row, with its line. */
function errorText(
  t: Translate,
  { error, flaw, line }: Pick<InvitationRow, 'error' | 'flaw' | 'line'>,
): string {
  if (error === undefined) return ''
  const problem = flawText(t, flaw) ?? t.plain(`line-problem.${lineProblemOf(error)}`)
  return harmless(line === undefined ? problem : t.plain('line-problem-at', { line, problem }))
}

/** Why a line was not understood, where that is known. */
export function flawText(t: Translate, flaw: LineFlaw | undefined): string | undefined {
  if (!flaw) return undefined
  if ('length' in flaw) return t.plain('line-problem-length', { length: flaw.length })
  return 'part' in flaw
    ? t.plain('line-problem-part', { part: shorten(flaw.part, LETTERS_OF_PART) })
    : undefined
}
const LETTERS_OF_PART = 60

export type StatusRow = {
  token: string
  kind: 'record' | 'roadmap'
  title: string
  stage: string
  /** Counted from 1. */
  question?: number | undefined
  questions?: number | undefined
  begun?: number | undefined
  active?: number | undefined
  finished?: number | undefined
  externalId?: number | undefined
}

/** The size of a piece, in letters. */
const PIECE_LETTERS = 16_384

/** The table of everything that was begun here, piece by piece as it is read: no name, mobile or answer. */
export async function* statusCsv(rows: AsyncIterable<StatusRow>): AsyncGenerator<Uint8Array> {
  let text = headOf('token,kind,title,stage,question,questions,begun,active,finished,external_id')
  for await (const row of rows) {
    text += lineOf([
      ...[row.token, row.kind, harmless(row.title), row.stage],
      ...[row.question, row.questions].map(numeral),
      ...[row.begun, row.active, row.finished].map(time),
      numeral(row.externalId),
    ])
    if (text.length < PIECE_LETTERS) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}

/** Results as a table, one row per scale: no name, no mobile, no answer. */
export const resultsCsv = (rows: readonly ResultRow[]): string =>
  csv(
    'token,kind,title,external_id,finished,person,scale,score,percentile,answers_under_a_second,longest_run,active_minutes',
    rows.map((row) => [
      ...[row.token, row.kind, harmless(row.title), numeral(row.externalId), time(row.finished)],
      ...[harmless(row.person), harmless(row.scale ?? '')],
      ...[row.score, row.percentile, row.fast, row.run, row.activeMinutes].map(numeral),
    ]),
  )

/**
 * A spreadsheet takes a cell with such a beginning for a formula, some programs also after blanks, marks and
 * quotes, or in wide and small forms. Where semicolons divide the cells, a cell begins after each of them.
 */
const FORMULA = /(?:^|(?<=[;؛\t\r\n]))[\p{C}\p{M}\p{P}\p{S}\p{Z}]*?[=+\-@＝＋－＠﹦﹢﹣﹫]|^[\t\r\n]/gu
const harmless = (text: string): string => text.replace(FORMULA, "'$&")
const numeral = (value: number | undefined): string => (value === undefined ? '' : String(value))
const time = (at: number | undefined): string => (at ? new Date(at).toISOString() : '')
