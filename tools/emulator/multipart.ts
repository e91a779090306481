export type Upload = { fieldName: string; fileName: string; bytes: Buffer }

export type Form = { fields: Record<string, string>; uploads: Upload[] }

const LINE_END = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * Reads a multipart/form-data body as leniently as Telegram: bot libraries write file names without quotes
 * and in raw UTF-8, which strict parsers refuse. Throws without a boundary, and for a part without a head.
 */
export function parseMultipart(body: Buffer, contentType: string): Form {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  const marker = Buffer.from(`--${boundary?.[1] ?? boundary?.[2] ?? ''}`)
  if (marker.length === 2) throw new Error('multipart body without boundary')
  const form: Form = { fields: {}, uploads: [] }
  let begin = body.indexOf(marker)
  while (begin !== -1) {
    const start = begin + marker.length
    if (body.subarray(start, start + 2).toString() === '--') break
    const next = body.indexOf(Buffer.concat([LINE_END, marker]), start)
    if (next === -1) break
    addPart(form, body.subarray(start + LINE_END.length, next))
    begin = next + LINE_END.length
  }
  return form
}

function addPart(form: Form, part: Buffer): void {
  const headEnd = part.indexOf(HEAD_END)
  if (headEnd === -1) throw new Error('multipart part without head')
  const head = part.subarray(0, headEnd).toString('utf8')
  const bytes = part.subarray(headEnd + HEAD_END.length)
  const disposition = /content-disposition:[^\r\n]*/i.exec(head)?.[0] ?? ''
  const fieldName = parameter(disposition, 'name') ?? ''
  const fileName = parameter(disposition, 'filename')
  if (fileName === undefined) form.fields[fieldName] = bytes.toString('utf8')
  else form.uploads.push({ fieldName, fileName, bytes: Buffer.from(bytes) })
}

function parameter(disposition: string, name: string): string | undefined {
  const match = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^;]*))`, 'i').exec(disposition)
  return match ? (match[1] ?? match[2] ?? '').trim() : undefined
}
