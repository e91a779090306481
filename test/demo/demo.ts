import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Sms } from '../../tools/demo/api.ts'
import { type DemoOptions, startDemo } from '../../tools/demo/server.ts'

/** A folder that is removed after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'porsa-demo-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** A demo without a bot on a free port, and a client of its page's interface. */
export async function demo(options: Partial<DemoOptions> = {}) {
  const settings = { host: '127.0.0.1', port: 0, fresh: false, generationSeconds: 1, logLevel: 'warn' }
  const started = await startDemo({ ...settings, dataDir: options.dataDir ?? folder(), ...options })
  onTestFinished(() => started.close())

  async function call(method: string, path: string, body?: unknown) {
    const response = await fetch(`${started.url}/api${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }

  return {
    ...started,
    get: (path: string) => call('GET', path),
    post: (path: string, body: unknown = {}) => call('POST', path, body),
  }
}

export type StreamEvent = { type: string; data: Record<string, unknown> & Partial<Sms> }

/** Reads server-sent events; `next()` waits for one more. */
export async function events(url: string) {
  const response = await fetch(url)
  const reader = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream())
    .getReader()
  onTestFinished(() => reader.cancel().catch(() => undefined))
  let buffer = ''
  return {
    type: response.headers.get('content-type'),
    async next(): Promise<StreamEvent> {
      for (;;) {
        const match = /^event: (.*)\ndata: (.*)\n\n/.exec(buffer)
        if (match) {
          buffer = buffer.slice(match[0].length)
          return { type: match[1] ?? '', data: JSON.parse(match[2] ?? 'null') }
        }
        const { value, done } = await reader.read()
        if (done) throw new Error('the stream ended')
        buffer += value
      }
    },
  }
}
