import { GrammyError } from 'grammy'
import type { Config } from '../config.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { recordFiles } from '../kept/documents.ts'
import type { OnBehalf, OwedResult } from '../kept/owed-result.ts'
import type { Log } from '../observe/logger.ts'
import { traceOf } from '../observe/trace.ts'
import type { CardRenderer } from '../report/card-renderer.ts'
import type { ServiceClient } from '../service/client.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import type { Vault } from '../store/vault.ts'
import { isBlocked } from '../telegram/errors.ts'
import type { Sender } from '../telegram/sender.ts'
import type { Texts } from '../texts/texts.ts'
import type { Answer, Ask } from './delivery-steps.ts'
import { createResultFetcher } from './fetch-result.ts'
import { createResultParts } from './result-parts.ts'

/** What a step of a delivery is about. */
type About = {
  file: RecordFile
  onBehalf: OnBehalf
  asking: readonly number[]
  tries: number
  owed: OwedResult | undefined
  work: UnitOfWork
  sender: Sender
  /** Rejects when another worker has the delivery by now. */
  begin: () => Promise<void>
}

/** Does what a delivery asks for, at the service or in a chat, and says what became of it. */
export function createDeliveryAnswers(deps: {
  service: ServiceClient
  texts: Texts
  config: Config
  cards: CardRenderer
  vault: Vault
  now: () => number
  log: Log
}) {
  const { log } = deps
  const fetcher = createResultFetcher(deps)
  const resultParts = createResultParts(deps)

  async function send(
    { sender, file, owed }: About,
    { part, html = owed?.html }: Extract<Ask, { ask: 'send' }>,
  ) {
    try {
      return owed
        ? await resultParts.send(sender, file, { ...owed, ...(html !== undefined && { html }) }, part)
        : 'sent'
    } catch (err) {
      if (isBlocked(err)) return 'blocked'
      if (!(err instanceof GrammyError) || err.error_code !== 400) throw err
      log.error({ err, kind: part.kind }, 'Telegram refused a part of a result')
      return 'refused'
    }
  }

  return async (asked: Ask, about: About): Promise<Answer> => {
    const { file, onBehalf, asking, tries, work } = about
    switch (asked.ask) {
      case 'fetch': {
        const got = await fetcher.result(file, { tries, trace: traceOf(onBehalf.who) })
        if (typeof got !== 'object') return { to: 'fetch', got }
        // Delivered meanwhile: then nothing is kept. Whatever else has touched the file while the two calls waited in
        // line is no reason to make them again: whoever asks every few seconds would never have an answer.
        const now = await work.guardAnew(recordFiles, file.s)
        return { to: 'fetch', got: now?.state.stage === file.state.stage ? got : 'over' }
      }
      case 'layOut': {
        const { result } = asked
        return { to: 'layOut', result, parts: await resultParts.of(work, file, result, onBehalf, asking) }
      }
      case 'fetchReport':
        return { to: 'fetchReport', got: await fetcher.report(file, { tries, trace: traceOf(onBehalf.who) }) }
      case 'send':
        // A process that stood still until its lease was over has to see that before, not after.
        await about.begin()
        return { to: 'send', part: asked.part, became: await send(about, asked) }
    }
  }
}
