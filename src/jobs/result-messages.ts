import { setImmediate } from 'node:timers/promises'
import type { Config } from '../config.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { roleLabel, titleOf } from '../domain/record/whose.ts'
import { readResult } from '../domain/result.ts'
import { readRoadmapResult } from '../domain/roadmap-result.ts'
import { whoIsIn } from '../domain/whose-section.ts'
import type { OwedResult } from '../kept/owed-result.ts'
import type { Language, Texts } from '../texts/texts.ts'
import { MOST_MESSAGES, resultMessages } from '../views/result.ts'
import { roadmapMessages } from '../views/roadmap-result.ts'
import { type Drawable, hasFigures } from './result-pictures.ts'

/** So many of all messages are words where there are pictures: of a record several, of a family one. */
const MOST_BESIDE_PICTURES = 6
const MOST_BESIDE_ONE = MOST_MESSAGES - 1

export type Tellable = Drawable & Pick<OwedResult, 'html' | 'isReportAwaited' | 'isCut'>

/** Writes a result as messages, no more of them than are read. */
export function createResultMessages({ texts, config }: { texts: Texts; config: Config }) {
  const { organizerContact, supportText } = config

  return async (file: RecordFile, owed: Tellable, language: Language): Promise<string[]> => {
    const t = texts.for(language)
    const { roadmap } = file
    const { html, isReportAwaited, isCut } = owed
    const common = {
      title: titleOf(file),
      organizerContact,
      supportText,
      hasReport: html !== undefined || isReportAwaited === true,
      isCut,
      most: !hasFigures(file, owed) ? MOST_MESSAGES : roadmap ? MOST_BESIDE_ONE : MOST_BESIDE_PICTURES,
    }
    await setImmediate() // a large result is read again now
    if (!roadmap) return resultMessages(t, { ...common, result: readResult(owed.json) })
    const people = roadmap.roles.map(roleLabel)
    const { said, sections } = readRoadmapResult(owed.json, whoIsIn(roadmap))
    // What the roadmap is called stands in the head.
    const whole = said.filter(({ text }) => text !== file.test.title)
    return roadmapMessages(t, { ...common, people, result: { said: whole, sections } })
  }
}
