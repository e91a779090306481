import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
}

// The compiler copies no assets: this folder and dist-tools/programs/ both read them from the source folder.
const PAGE = new URL('../../tools/demo/page/', import.meta.url)

/** In the order in which they apply. */
const SHEETS = [
  'tokens',
  'page',
  'panels',
  'invitations',
  'phone',
  'messages',
  'received',
  'media',
  'rich-text',
  'keyboards',
  'composer',
  'overlays',
]

/** All style sheets of the page as one, so that a browser makes one request. */
export async function readStyle(): Promise<string> {
  const sheets = SHEETS.map((name) => readFile(new URL(`style/${name}.css`, PAGE), 'utf8'))
  return (await Promise.all(sheets)).join('\n')
}

/** Serves the files of the chat page. */
export function addAssets(app: FastifyInstance): void {
  app.get('/', (_request, reply) => sendAsset(reply, 'index.html'))
  app.get('/style.css', async (_request, reply) =>
    reply
      .type(TYPES.css ?? '')
      .header('cache-control', 'no-cache')
      .send(await readStyle()),
  )
  app.get('/*', (request, reply) => sendAsset(reply, (request.params as { '*': string })['*']))
}

/** Serves plain file names in at most one folder, so that no path leads out of the page's folder. */
async function sendAsset(reply: FastifyReply, path: string): Promise<FastifyReply> {
  const type = /^(?:[\w-]+\/)?[\w-]+\.([a-z0-9]+)$/.exec(path)?.[1] ?? ''
  const contentType = TYPES[type]
  const bytes = contentType && (await readFile(new URL(path, PAGE)).catch(() => undefined))
  if (!bytes) return reply.code(404).send({ error: 'not found' })
  return reply.type(contentType).header('cache-control', 'no-cache').send(bytes)
}
