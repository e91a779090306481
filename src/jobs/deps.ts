import type { Config } from '../config.ts'
import type { Log } from '../observe/logger.ts'
import type { CardRenderer } from '../pictures/card-renderer.ts'
import type { ServiceClient } from '../service/client.ts'
import type { FetchPicture } from '../service/pictures.ts'
import type { Store } from '../storage/store.ts'
import type { Vault } from '../storage/vault.ts'
import type { Sender } from '../telegram/sender.ts'
import type { Texts } from '../texts/texts.ts'

/** The parts that jobs and chats use; each picks what it needs. */
export type JobDeps = {
  config: Config
  service: ServiceClient
  store: Store
  vault: Vault
  sender: Sender
  texts: Texts
  cards: CardRenderer
  fetchPicture: FetchPicture
  log: Log
  now: () => number
}

/** Only these settings. */
export type With<K extends keyof Config> = { config: Pick<Config, K> }
