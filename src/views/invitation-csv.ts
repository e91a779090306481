type CsvRow = {
  token: string
  kind?: string | undefined
  externalId?: number | undefined
  code?: string | undefined
  error?: string | undefined
}

/** So that spreadsheets read Persian. */
const BOM = '\uFEFF'
const COLUMNS = 'token,kind,external_id,code,link,error'

/** Invitations as a table for a spreadsheet or an organizer's own software (contract, Organizers). */
export function invitationCsv(rows: readonly CsvRow[], username: string): string {
  const lines = rows.map(({ token, kind = '', externalId, code, error = '' }) =>
    [
      token,
      kind,
      externalId === undefined ? '' : String(externalId),
      code ?? '',
      code === undefined ? '' : `https://t.me/${username}?start=i_${code}`,
      error,
    ]
      .map(cell)
      .join(','),
  )
  return `${BOM}${[COLUMNS, ...lines].join('\r\n')}\r\n`
}

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
