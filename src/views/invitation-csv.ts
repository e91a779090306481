type CsvRow = {
  token: string
  kind?: string | undefined
  externalId?: number | undefined
  externalIds?: readonly (number | null)[] | undefined
  code?: string | undefined
  error?: string | undefined
}

/** So that spreadsheets read Persian. */
export const BOM = '\uFEFF'
const COLUMNS = 'token,kind,external_id,code,link,error'

/** Invitations as a table for a spreadsheet or an organizer's own software. */
export function invitationCsv(rows: readonly CsvRow[], username: string): string {
  const lines = rows.map(({ token, kind = '', externalId, externalIds = [], code, error = '' }) =>
    [
      token,
      kind,
      externalId === undefined ? externalIds.map((id) => id ?? '-').join(' ') : String(externalId),
      code ?? '',
      code === undefined ? '' : `https://t.me/${username}?start=i_${code}`,
      error,
    ]
      .map(cell)
      .join(','),
  )
  return `${BOM}${[COLUMNS, ...lines].join('\r\n')}\r\n`
}

/** One cell, in quotes where it needs them. */
export const cell = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
