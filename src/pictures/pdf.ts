/** A4, in points. */
const PAGE_WIDTH = 595
const FIRST_PAGE = 4
const OBJECTS_A_PAGE = 3

/** Makes the bot's PNG pictures the pages of one PDF. Their compressed data is taken as it is. */
export function encodePdf(pictures: readonly Buffer[], title: string): Buffer {
  const pages = pictures.map(readPng)
  const numberOf = (page: number) => FIRST_PAGE + page * OBJECTS_A_PAGE
  const kids = pages.map((_, page) => `${numberOf(page)} 0 R`).join(' ')
  return written([
    object('/Type/Catalog/Pages 2 0 R'),
    object(`/Type/Pages/Kids[${kids}]/Count ${pages.length}`),
    object(`/Title<${utf16(title)}>/Producer(Porsa)`),
    ...pages.flatMap((page, index) => pageObjects(page, numberOf(index))),
  ])
}

type Page = { width: number; height: number; palette: Buffer; rows: Buffer }

/** A page, what is drawn on it, and its picture. */
function pageObjects({ width, height, palette, rows }: Page, at: number): Buffer[] {
  const size = `${PAGE_WIDTH} ${((PAGE_WIDTH * height) / width).toFixed(2)}`
  const [across, down] = size.split(' ')
  const colours = `[/Indexed/DeviceRGB ${palette.length / 3 - 1}<${palette.toString('hex')}>]`
  return [
    object(
      `/Type/Page/Parent 2 0 R/MediaBox[0 0 ${size}]/Contents ${at + 1} 0 R/Resources<</XObject<</P ${at + 2} 0 R>>>>`,
    ),
    object('', Buffer.from(`${across} 0 0 ${down} 0 0 cm /P Do`)),
    object(
      `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8/ColorSpace ${colours}` +
        `/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors 1/Columns ${width}>>`,
      rows,
    ),
  ]
}

function object(fields: string, stream?: Buffer): Buffer {
  if (!stream) return Buffer.from(`<<${fields}>>`)
  const head = `<<${fields}/Length ${stream.length}>>\nstream\n`
  return Buffer.concat([Buffer.from(head), stream, Buffer.from('\nendstream')])
}

const utf16 = (text: string): string => Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('hex')

/** Writes the objects one after another, and the table of where each begins. */
function written(objects: readonly Buffer[]): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n')]
  let length = parts[0]?.length ?? 0
  let table = ''
  for (const [index, each] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), each, Buffer.from('\nendobj\n')])
    table += `${String(length).padStart(10, '0')} 00000 n \n`
    parts.push(part)
    length += part.length
  }
  const size = objects.length + 1
  const trailer = `trailer\n<</Size ${size}/Root 1 0 R/Info 3 0 R>>\nstartxref\n${length}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`)])
}

/** The size, the colours and the compressed rows of one of the bot's pictures. */
function readPng(png: Buffer): Page {
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    chunks.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  const part = (type: string) => chunks.get(type) ?? Buffer.alloc(0)
  const size = part('IHDR')
  return {
    width: size.readUInt32BE(0),
    height: size.readUInt32BE(4),
    palette: part('PLTE'),
    rows: part('IDAT'),
  }
}
