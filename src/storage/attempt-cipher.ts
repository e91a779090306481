import { createCipheriv, createHmac, type Hmac, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Attempt, attemptLayout, encodeAttempt } from '../domain/attempt-layout.ts'

/** Keeps the answers of attempts secret, and proves that complete ones are unharmed. */
export type AttemptCipher = {
  /** One answer for both streams. `option` counts from 0, at most 255; `revision` is the one the answer is given at. */
  encryptAnswer(
    attempt: Pick<Attempt, 'id' | 'dataKey'>,
    answer: { question: number; revision: number; option: number },
  ): { first: number; change: number }
  /** The chosen option of every answered question; the latest change wins. */
  decryptAnswers(attempt: Attempt): number[]
  /** The code over the record `s` and the whole attempt as it stands: 16 bytes, for the moves `seal` and `lock`. */
  mac(s: string, attempt: Attempt): Buffer
  /** `unsealed`: there is no code, or something was accepted after it. `harmed`: it is not what was sealed. */
  verify(s: string, attempt: Attempt): 'sound' | 'unsealed' | 'harmed'
}

const CACHED_SITTINGS = 1_000
const BLOCK_BYTES = 16
/** Of a keystream so much is kept at a time: to make it costs hardly more than to make a block. */
const WINDOW_BYTES = 8 * BLOCK_BYTES

/**
 * Encrypts answers byte by byte with AES-256-CTR. Every attempt has two keystreams of its own: first answers take the
 * byte at the question's position, changes the byte at the revision. A first answer is given once, a revision passes
 * once, and a test that starts over gets a new id, so no byte of a keystream is used for two kept answers.
 */
export function createAttemptCipher(dataKey: (number: number) => Buffer): AttemptCipher {
  const cache = new LRUCache<string, AttemptKeys>({ max: CACHED_SITTINGS })

  function keysOf({ id, dataKey: number }: Pick<Attempt, 'id' | 'dataKey'>): AttemptKeys {
    const name = `${number}:${id.toString('hex')}`
    const cached = cache.get(name)
    if (cached) return cached
    const keys = deriveKeys(dataKey(number), id)
    cache.set(name, keys)
    return keys
  }

  function decryptAnswers(attempt: Attempt): number[] {
    const keys = keysOf(attempt)
    const answers = [...keystream(keys.first.key, 0, attempt.firsts)]
    for (const { question, revision, byte } of attempt.changes) {
      answers[question] = byte ^ streamByte(keys.change, revision)
    }
    return answers
  }

  function mac(s: string, attempt: Attempt): Buffer {
    const code = createHmac('sha256', keysOf(attempt).mac)
    if (attempt.layout === 1) updateFirst(code, attempt)
    else code.update(`${s}\0`).update(sealed(attempt))
    return code.digest().subarray(0, attemptLayout.bytes.mac)
  }

  /** The first layout: id, number of questions, content and answers. */
  function updateFirst(code: Hmac, attempt: Attempt): void {
    const questions = Buffer.alloc(2)
    questions.writeUInt16BE(attempt.questions)
    code.update(attempt.id).update(questions).update(attempt.contentHash)
    code.update(Buffer.from(decryptAnswers(attempt)))
  }

  return {
    encryptAnswer(attempt, { question, revision, option }) {
      if (!Number.isInteger(option) || option < 0 || option > 255)
        throw new RangeError('an option fits in a byte')
      const keys = keysOf(attempt)
      return {
        first: option ^ streamByte(keys.first, question),
        change: option ^ streamByte(keys.change, revision),
      }
    },
    decryptAnswers,
    mac,
    verify(s, attempt) {
      if (!isSealed(attempt)) return 'unsealed'
      return timingSafeEqual(mac(s, attempt), attempt.mac) ? 'sound' : 'harmed'
    },
  }
}

/** What the code covers: every byte but its own place. */
const sealed = (attempt: Attempt): Buffer =>
  encodeAttempt({ ...attempt, mac: Buffer.alloc(attemptLayout.bytes.mac), macRevision: attempt.revision })

function isSealed({ layout, revision, macRevision, changes }: Attempt): boolean {
  if (layout !== 1) return macRevision === revision
  return macRevision !== 0 && changes.every((change) => change.revision < macRevision)
}

/** A keystream with the window that was used last: the next answer nearly always needs the same one. */
type Stream = { key: Buffer; window: number; bytes: Buffer }
type AttemptKeys = { first: Stream; change: Stream; mac: Buffer }

function deriveKeys(dataKey: Buffer, id: Buffer): AttemptKeys {
  const derive = (use: string) =>
    createHmac('sha256', dataKey).update(`porsa sitting ${use}`).update(id).digest()
  const stream = (use: string): Stream => ({ key: derive(use), window: -1, bytes: NO_BYTES })
  return { first: stream('first'), change: stream('change'), mac: derive('mac') }
}

/** Encrypts or decrypts bytes from the given block of the stream on. */
function keystream(key: Buffer, block: number, bytes: Buffer): Buffer {
  const counter = Buffer.alloc(BLOCK_BYTES)
  counter.writeUInt32BE(block, BLOCK_BYTES - 4)
  return createCipheriv('aes-256-ctr', key, counter).update(bytes)
}

const NO_POSITION = 0xffff_ffff
const NO_BYTES = Buffer.alloc(WINDOW_BYTES)

function streamByte(stream: Stream, position: number): number {
  // A forged position is never accepted, so its byte is never kept: any will do, and none of a real position.
  const place = Number.isInteger(position) && position >= 0 && position < NO_POSITION ? position : NO_POSITION
  const window = Math.floor(place / WINDOW_BYTES)
  if (window !== stream.window) {
    stream.bytes = keystream(stream.key, (window * WINDOW_BYTES) / BLOCK_BYTES, NO_BYTES)
    stream.window = window
  }
  return stream.bytes[place % WINDOW_BYTES] ?? 0
}
