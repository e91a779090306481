import type { Access } from './access.ts'
import type { World } from './world.ts'

/** One call that reached the sandbox; `path` is below `/v2`, `status` is 0 when no answer was sent. */
export interface Call {
  readonly method: string
  readonly path: string
  status: number
  readonly at: number
  body?: unknown
}

export interface AppDeps {
  readonly world: World
  readonly access: Access
  /** Called with every call as it arrives; the sandbox fills in status and body later. */
  readonly onCall: (call: Call) => void
  /** Called after a request that may have changed the state, before its answer is sent. */
  readonly onChange: () => void
  readonly reset: () => void
  readonly open: (token: string) => boolean
  readonly register: (token: string, body: unknown) => boolean
  readonly log: (line: object) => void
}
