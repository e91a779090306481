import { createHash } from 'node:crypto'
import { FluentParser, FluentSerializer, Message } from '@fluent/syntax'

/** The keys of texts that are read before consent: by participants, at a hand-over, and by guardians. */
const READ_BEFORE =
  /^(?:intro-|ages-|hand-intro|board-role$|roadmap-(?:intro|analysis|result-)|hand-over|guardian-ask|button-(?:begin|hand-over|guardian))/

export const isOfConsent = (key: string): boolean => READ_BEFORE.test(key)

/** A number for the words that people consent to, in all languages; any change of the words changes it. */
export function consentVersion(sources: readonly string[]): number {
  const words = sources.map((source) => wordsOf(source).sort())
  return createHash('sha256').update(JSON.stringify(words)).digest().readUInt32BE()
}

function wordsOf(source: string): string[] {
  const serializer = new FluentSerializer()
  return new FluentParser({ withSpans: false }).parse(source).body.flatMap((entry) => {
    if (!(entry instanceof Message) || !isOfConsent(entry.id.name)) return []
    // A comment is not part of the words.
    entry.comment = null
    return [serializer.serializeEntry(entry)]
  })
}
