import { type Cipher, createCipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Attempt, attemptLayout, encodeAttempt } from '../domain/attempt-layout.ts'

type Keyed = Pick<Attempt, 'id' | 'dataKey' | 'layout'>
type GivenAnswer = { question: number; revision: number; option: number }

const CACHED_ATTEMPTS = 1_000
const BLOCK_BYTES = 16

/**
 * Encrypts the answers of attempts, and authenticates complete ones.
 *
 * Answers are encrypted byte by byte. Every attempt has two streams: a first answer uses the permutation of
 * the question's position, a change uses the permutation of the revision. After a restore of the store, a
 * position or a revision is used a second time, and Redis receives every answer in both forms. With a
 * permutation, two ciphertexts reveal only whether the answers are equal. The keystream of layouts before 4
 * reveals their difference.
 */
export function createAttemptCipher(dataKey: (number: number) => Buffer) {
  const cache = new LRUCache<string, AttemptKeys, Keyed>({
    max: CACHED_ATTEMPTS,
    memoMethod: (_, __, { context: { id, dataKey: number } }) => deriveKeys(dataKey(number), id),
  })
  const keysOf = (context: Keyed) =>
    cache.memo(`${context.dataKey}:${context.id.toString('hex')}`, { context })

  /**
   * Returns the chosen option of every answered question (the latest change wins), and the changes to another
   * option. The store also keeps a change to the same option, because only decryption shows that it is the
   * same.
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

  /** The MAC over the record `s` and the whole attempt: 16 bytes, for the moves `seal` and `lock`. */
  function mac(s: string, attempt: Attempt): Buffer {
    const code = createHmac('sha256', keysOf(attempt).mac)
    return code.update(`${s}\0`).update(sealed(attempt)).digest().subarray(0, attemptLayout.bytes.mac)
  }

  return {
    /** Encrypts an answer for both streams. `option`: 0 to 255; `revision`: that of the attempt before it. */
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
    /** `unsealed`: no MAC, or an answer accepted after it. `harmed`: the MAC does not match. */
    verify(s: string, attempt: Attempt): 'sound' | 'unsealed' | 'harmed' {
      if (attempt.macRevision !== attempt.revision) return 'unsealed'
      return timingSafeEqual(mac(s, attempt), attempt.mac) ? 'sound' : 'harmed'
    },
  }
}

/** The bytes that the MAC covers: all but the MAC itself. */
const sealed = (attempt: Attempt): Buffer =>
  encodeAttempt({ ...attempt, mac: Buffer.alloc(attemptLayout.bytes.mac), macRevision: attempt.revision })

/** Each stream encrypts single blocks with AES. */
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
 * The permutation of a position, from option 0 on. The Fisher-Yates shuffle runs only as far as the caller
 * reads, so an answer costs little more than one block of AES.
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

/** The store never keeps the byte of a forged position. It must only differ from every real position. */
const placeOf = (position: number): number =>
  Number.isInteger(position) && position >= 0 && position < NO_POSITION ? position : NO_POSITION

/** Layouts before 4: AES-256-CTR. Its keystream is the encrypted counter of each block. */
function keystreamByte(block: Cipher, position: number): number {
  const place = placeOf(position)
  const counter = Buffer.alloc(BLOCK_BYTES)
  counter.writeUInt32BE(Math.floor(place / BLOCK_BYTES), BLOCK_BYTES - NUMBER_BYTES)
  return block.update(counter)[place % BLOCK_BYTES] ?? 0
}
