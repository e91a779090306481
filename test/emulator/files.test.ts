import { InputFile, InputMediaBuilder } from 'grammy'
import { request } from 'undici'
import { expect, test } from 'vitest'
import { chat, refusal } from './bot.ts'

/** Telegram's rules for sizes read only the head of a PNG. */
function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(32)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

test('a document keeps its Persian name and every byte, and can be fetched', async () => {
  const { api, person, root, emulator } = await chat()
  const bytes = Buffer.concat([Buffer.from('<html>گزارش\r\n--x\r\n'), Buffer.from([0, 255, 13, 10])])
  const sent = await api.sendDocument(person.id, new InputFile(bytes, 'گزارش نهایی.html'), {
    caption: '<b>گزارش</b>',
    parse_mode: 'HTML',
  })
  expect(sent).toMatchObject({
    caption: 'گزارش',
    caption_entities: [{ type: 'bold' }],
    document: { file_name: 'گزارش نهایی.html', mime_type: 'text/html', file_size: bytes.length },
  })
  const file = await api.getFile(sent.document.file_id)
  const fetched = await request(`${root}/file/bot${emulator.token}/${file.file_path}`)
  expect(Buffer.from(await fetched.body.arrayBuffer())).toEqual(bytes)
  const again = await api.sendDocument(person.id, sent.document.file_id)
  expect(again.document).toEqual(sent.document)
})

test('a photo has its size; a file that is not a picture or has a wrong shape is refused', async () => {
  const { api, person } = await chat()
  const send = (bytes: Buffer) => api.sendPhoto(person.id, new InputFile(bytes, 'card.png'))
  expect((await send(png(1080, 1350))).photo.at(-1)).toMatchObject({ width: 1080, height: 1350 })
  expect(await refusal(send(Buffer.from('<svg/>')))).toBe('400 Bad Request: IMAGE_PROCESS_FAILED')
  expect(await refusal(send(png(9000, 2000)))).toBe('400 Bad Request: PHOTO_INVALID_DIMENSIONS')
  expect(await refusal(send(png(2100, 100)))).toBe('400 Bad Request: PHOTO_INVALID_DIMENSIONS')
  expect(await refusal(send(Buffer.alloc(0)))).toBe('400 Bad Request: file must be non-empty')
  const large = Buffer.concat([png(100, 100), Buffer.alloc(10 * 2 ** 20)])
  expect(await refusal(send(large))).toContain('is too big for a photo')
  expect(await refusal(api.sendPhoto(person.id, 'nothing'))).toBe(
    '400 Bad Request: wrong file identifier/HTTP URL specified',
  )
})

test('captions and media can be edited', async () => {
  const { api, person } = await chat()
  const { message_id } = await api.sendPhoto(person.id, new InputFile(png(10, 10), 'a.png'), {
    caption: 'one',
  })
  await api.editMessageCaption(person.id, message_id, { caption: 'two' })
  expect(person.last.caption).toBe('two')
  expect(await refusal(api.editMessageCaption(person.id, message_id, { caption: 'two' }))).toContain(
    'message is not modified',
  )
  expect(await refusal(api.editMessageText(person.id, message_id, 'x'))).toBe(
    '400 Bad Request: there is no text in the message to edit',
  )
  await api.editMessageMedia(
    person.id,
    message_id,
    InputMediaBuilder.document(new InputFile(Buffer.from('x'), 'b.txt'), { caption: 'three' }),
  )
  expect(person.last).toMatchObject({ document: { file_name: 'b.txt' }, caption: 'three' })
  expect(person.last.photo).toBeUndefined()
  const tooLong = api.editMessageCaption(person.id, message_id, { caption: 'x'.repeat(1025) })
  expect(await refusal(tooLong)).toBe('400 Bad Request: message caption is too long')
})

test('an album is two to ten pictures, or nothing at all', async () => {
  const { api, person, emulator } = await chat()
  const photo = (caption?: string) =>
    InputMediaBuilder.photo(new InputFile(png(10, 10), 'a.png'), caption ? { caption } : {})
  const sent = await api.sendMediaGroup(person.id, [photo('one'), photo(), photo('three')])
  expect(sent.map(({ caption }) => caption)).toEqual(['one', undefined, 'three'])
  const shown = emulator.chat(person.id)?.messages.slice(-3) ?? []
  expect(shown.map(({ id }) => id)).toEqual(sent.map(({ message_id }) => message_id))
  const [album] = person.messages.slice(-1).map((message) => message.media_group_id)
  expect(shown.map(({ albumId }) => albumId)).toEqual([album, album, album])
  expect(album).toBeTruthy()
  const { length } = person.messages
  const many = Array.from({ length: 11 }, () => photo())
  const send = (media: Parameters<typeof api.sendMediaGroup>[1]) =>
    refusal(api.sendMediaGroup(person.id, media))
  expect(await send([photo()])).toContain('too few messages to send as an album')
  expect(await send(many)).toContain('too many messages to send as an album')
  expect(await send([photo(), InputMediaBuilder.photo('nothing')])).toContain('wrong file identifier')
  const broken = InputMediaBuilder.photo(new InputFile(Buffer.from('<svg/>'), 'a.png'))
  expect(await send([photo(), broken])).toContain('IMAGE_PROCESS_FAILED')
  expect(person.messages).toHaveLength(length)
})
