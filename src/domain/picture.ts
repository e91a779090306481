/** Larger pictures are none that a question needs; Telegram takes no larger ones either. */
export const LARGEST_PICTURE_BYTES = 5 * 1024 * 1024

const begins = (bytes: Uint8Array, at: number, ...expected: number[]): boolean =>
  expected.every((byte, index) => bytes[at + index] === byte)

/** Whether these bytes are a picture that a chat can show: PNG, JPEG, GIF or WebP. */
export function isPicture(bytes: Uint8Array): boolean {
  if (bytes.length < 16 || bytes.length > LARGEST_PICTURE_BYTES) return false
  return (
    begins(bytes, 0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) ||
    begins(bytes, 0, 0xff, 0xd8, 0xff) ||
    begins(bytes, 0, 0x47, 0x49, 0x46, 0x38) ||
    (begins(bytes, 0, 0x52, 0x49, 0x46, 0x46) && begins(bytes, 8, 0x57, 0x45, 0x42, 0x50))
  )
}
