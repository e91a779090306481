import { createHash } from 'node:crypto'
import { FluentParser, FluentSerializer, Message } from '@fluent/syntax'

/** What is read before consent is given: in an introduction, at the hand-over to a minor, by a guardian. */
const READ_BEFORE =
  /^(?:intro-|ages-|hand-intro|board-role$|roadmap-(?:intro|analysis|result-)|hand-over|guardian-ask|button-(?:begin|hand-over|guardian))/

export const isOfConsent = (key: string): boolean => READ_BEFORE.test(key)

/** The number of the words that people consent to, in all languages: another one after any change of them. */
export function consentVersion(sources: readonly string[]): number {
  const words = sources.map((source) => wordsOf(source).sort())
  return createHash('sha256').update(JSON.stringify(words)).digest().readUInt32BE()
}

function wordsOf(source: string): string[] {
  const serializer = new FluentSerializer()
  return new FluentParser({ withSpans: false }).parse(source).body.flatMap((entry) => {
    if (!(entry instanceof Message) || !isOfConsent(entry.id.name)) return []
    // A comment is no word of it.
    entry.comment = null
    return [serializer.serializeEntry(entry)]
  })
}
