import { type Cipher, createCipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Attempt, attemptLayout, encodeAttempt } from '../domain/attempt-layout.ts'

type Keyed = Pick<Attempt, 'id' | 'dataKey' | 'layout'>
type GivenAnswer = { question: number; revision: number; option: number }

const CACHED_ATTEMPTS = 1_000
const BLOCK_BYTES = 16

/**
 * Keeps the answers of attempts secret, and proves that complete ones are unharmed.
 *
 * They are encrypted byte by byte. Every attempt has two streams of its own: first answers take the permutation of the
 * question's position, changes the one of the revision. A store that is put back lets a position, or a revision, pass
 * once more, and a change is sent to Redis in both forms: with a permutation two copies tell whether two answers are the
 * same, and no more. Before layout 4 it was a keystream, which tells their difference.
 */
export function createAttemptCipher(dataKey: (number: number) => Buffer) {
  const cache = new LRUCache<string, AttemptKeys, Keyed>({
    max: CACHED_ATTEMPTS,
    memoMethod: (_, __, { context: { id, dataKey: number } }) => deriveKeys(dataKey(number), id),
  })
  const keysOf = (context: Keyed) =>
    cache.memo(`${context.dataKey}:${context.id.toString('hex')}`, { context })

  /**
   * The chosen option of every answered question, the latest change wins; and the changes that made an answer another one.
   * The rule of an answer keeps what is chosen once more, too: only here it shows that it is the same.
   */
  function decrypt(attempt: Attempt) {
    const { first, change } = keysOf(attempt)
    const open = (stream: Cipher, place: number, byte: number) =>
      attempt.layout < 4 ? byte ^ keystreamByte(stream, place) : decryptByte(stream, place, byte)
    const answers = [...attempt.firsts].map((byte, question) => open(first, question, byte))
    const changes = attempt.changes.filter(({ question, revision, byte }) => {
      const before = answers[question]
      answers[question] = open(change, revision, byte)
      return answers[question] !== before
    })
    return { answers, changes }
  }

  /** The code over the record `s` and the whole attempt as it stands: 16 bytes, for the moves `seal` and `lock`. */
  function mac(s: string, attempt: Attempt): Buffer {
    const code = createHmac('sha256', keysOf(attempt).mac)
    return code.update(`${s}\0`).update(sealed(attempt)).digest().subarray(0, attemptLayout.bytes.mac)
  }

  return {
    /** One answer for both streams. `option` counts from 0, at most 255; `revision` is the one the answer is given at. */
    encryptAnswer(attempt: Keyed, { question, revision, option }: GivenAnswer) {
      if (!Number.isInteger(option) || option < 0 || option > 255)
        throw new RangeError('an option fits in a byte')
      const keys = keysOf(attempt)
      const seal = (stream: Cipher, place: number) =>
        attempt.layout < 4 ? option ^ keystreamByte(stream, place) : encryptByte(stream, place, option)
      return { first: seal(keys.first, question), change: seal(keys.change, revision) }
    },
    decrypt,
    decryptAnswers: (attempt: Attempt): number[] => decrypt(attempt).answers,
    mac,
    /** `unsealed`: there is no code, or something was accepted after it. `harmed`: it is not what was sealed. */
    verify(s: string, attempt: Attempt): 'sound' | 'unsealed' | 'harmed' {
      if (attempt.macRevision !== attempt.revision) return 'unsealed'
      return timingSafeEqual(mac(s, attempt), attempt.mac) ? 'sound' : 'harmed'
    },
  }
}

/** What the code covers: every byte but its own place. */
const sealed = (attempt: Attempt): Buffer =>
  encodeAttempt({ ...attempt, mac: Buffer.alloc(attemptLayout.bytes.mac), macRevision: attempt.revision })

/** Each stream is AES of one block at a time. */
type AttemptKeys = { first: Cipher; change: Cipher; mac: Buffer }

function deriveKeys(dataKey: Buffer, id: Buffer): AttemptKeys {
  const derive = (use: string) =>
    createHmac('sha256', dataKey).update(`porsa sitting ${use}`).update(id).digest()
  const stream = (use: string) => createCipheriv('aes-256-ecb', derive(use), null).setAutoPadding(false)
  return { first: stream('first'), change: stream('change'), mac: derive('mac') }
}

const BYTES = 256
const NUMBER_BYTES = 4
const NUMBERS = BLOCK_BYTES / NUMBER_BYTES

/**
 * The permutation of a place, from option 0 on: the shuffle of Fisher and Yates as far as somebody reads it, so that an
 * answer costs hardly more than a block of AES.
 */
function* permutation(block: Cipher, position: number): Generator<number, void> {
  const swapped = new Map<number, number>()
  const counter = Buffer.alloc(BLOCK_BYTES)
  counter.writeUInt32BE(placeOf(position))
  let random = counter
  for (let option = 0; option < BYTES; option++) {
    if (option % NUMBERS === 0) {
      counter.writeUInt32BE(option, BLOCK_BYTES - NUMBER_BYTES)
      random = block.update(counter)
    }
    const part = random.readUInt32BE((option % NUMBERS) * NUMBER_BYTES) / 2 ** (8 * NUMBER_BYTES)
    const other = option + Math.floor(part * (BYTES - option))
    yield swapped.get(other) ?? other
    swapped.set(other, swapped.get(option) ?? option)
  }
}

function encryptByte(stream: Cipher, position: number, option: number): number {
  const bytes = permutation(stream, position)
  for (let before = 0; before < option; before++) bytes.next()
  return bytes.next().value ?? 0
}

function decryptByte(stream: Cipher, position: number, byte: number): number {
  let option = 0
  for (const each of permutation(stream, position)) {
    if (each === byte) break
    option += 1
  }
  return option
}

const NO_POSITION = 0xffff_ffff

/** A forged position is never accepted, so its byte is never kept: any will do, and none of a real position. */
const placeOf = (position: number): number =>
  Number.isInteger(position) && position >= 0 && position < NO_POSITION ? position : NO_POSITION

/** Layouts 1 and 2: AES-256-CTR, whose keystream is the counter of each block, encrypted. */
function keystreamByte(block: Cipher, position: number): number {
  const place = placeOf(position)
  const counter = Buffer.alloc(BLOCK_BYTES)
  counter.writeUInt32BE(Math.floor(place / BLOCK_BYTES), BLOCK_BYTES - NUMBER_BYTES)
  return block.update(counter)[place % BLOCK_BYTES] ?? 0
}
