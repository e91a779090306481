import { BOM, cell } from './invitation-csv.ts'

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

const COLUMNS = 'token,kind,title,stage,question,questions,begun,active,finished,external_id'

/** What was begun here as a table: no name, no mobile, no answer. */
export function statusCsv(rows: readonly StatusRow[]): string {
  const lines = rows.map(
    ({ token, kind, title, stage, question, questions, begun, active, finished, externalId }) =>
      [
        token,
        kind,
        harmless(title),
        stage,
        numeral(question),
        numeral(questions),
        time(begun),
        time(active),
        time(finished),
        numeral(externalId),
      ]
        .map(cell)
        .join(','),
  )
  return `${BOM}${[COLUMNS, ...lines].join('\r\n')}\r\n`
}

/** A spreadsheet takes what begins so for a formula, some of them after blanks, marks and quotes, too. */
const FORMULA = /^[\p{C}\p{P}\p{S}\p{Z}]*[=+\-@＝＋－＠]|^[\t\r\n]/u
const harmless = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)
const numeral = (value: number | undefined): string => (value === undefined ? '' : String(value))
const time = (at: number | undefined): string => (at ? new Date(at).toISOString() : '')
