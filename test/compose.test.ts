import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { variableNames } from '../src/config.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const compose = read('docker-compose.yml')

/** The lines that are indented below a line. */
function below(line: string, text = compose): string {
  const lines = text.split('\n')
  const at = lines.findIndex((found) => found.trimEnd() === line)
  if (at < 0) throw new Error(`no line ${line}`)
  const indent = line.search(/\S/)
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((found) => found !== '' && found.search(/\S/) <= indent)
  return rest.slice(0, end < 0 ? undefined : end).join('\n')
}

test('every variable that the bot gets is one of its settings', () => {
  const block = below('  environment: &environment')
  const set = [...block.matchAll(/^ +([A-Z_]+):/gm)].map(([, name]) => name ?? '')
  expect(set.filter((name) => !variableNames.includes(name))).toEqual([])
  // The image sets the paths of data and key; the sandbox's setting is not a setting of the bot.
  const own = ['DATA_DIR', 'DATA_KEY_FILE', 'SANDBOX_GENERATION_SECONDS']
  expect([...new Set(set)].sort()).toEqual(variableNames.filter((name) => !own.includes(name)).sort())
})

test('variables that compose itself reads are explained beside the settings', () => {
  const own = new Set([...compose.matchAll(/(?<!\$)\$\{([A-Z_]+)/g)].map(([, name]) => name ?? ''))
  expect([...own].sort()).toEqual([
    ...[
      'ALERTS_CHAT',
      'DOMAIN',
      'PORSA_COMMIT',
      'PORSA_TAG',
      'PORT',
      'REDIS_PASSWORD',
      'REPLICAS',
      'WEBHOOK_URL',
    ],
  ])
  for (const name of own) expect(read('.env.example')).toContain(name)
})

describe.each(['redis', 'proxy', 'demo', 'prometheus', 'alertmanager', 'grafana'])('%s', (name) => {
  test('is hardened like the bot', () => expect(below(`  ${name}:`)).toContain('<<: *hardened'))
})

test('the bot and its replicas are hardened and limited', () => {
  expect(below('x-bot: &bot')).toContain('<<: *hardened')
  expect(below('  bot:')).toContain('<<: *bot')
  for (const block of [
    'x-bot: &bot',
    '  redis:',
    '  proxy:',
    '  demo:',
    '  prometheus:',
    '  alertmanager:',
    '  grafana:',
  ])
    expect(below(block)).toContain('mem_limit:')
})

test('logs do not fill the disk', () => {
  expect(below('x-hardened: &hardened')).toMatch(/max-size: 10m, max-file: "5"/)
})

test('the compose file needs no feature newer than Compose 2.20', () => {
  // Each feature with the version that introduced it.
  const later = {
    'env_file with required': /required:/,
    'inline configs (2.23)': /^\s+content:/m,
    '!reset': /!\w+/,
  }
  for (const [what, form] of Object.entries(later)) expect(compose, what).not.toMatch(form)
  expect(read('README.md')).not.toContain('Compose 2.24')
})

test('Redis requires a password, and the proxy forwards the webhook only', () => {
  expect(below('  redis:')).toContain('--requirepass')
  expect(below('  proxy:')).toContain('./ops/Caddyfile:/etc/caddy/Caddyfile:ro')
  const caddyfile = read('ops/Caddyfile')
  expect(caddyfile.match(/handle \S+/g)).toEqual(['handle /telegram'])
  expect(caddyfile).toContain('respond 404')
})
