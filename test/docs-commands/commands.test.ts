import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, type TestContext, test } from 'vitest'
import { openExisting } from '../../src/cli/opened.ts'
import { loadConfig } from '../../src/config.ts'
import { deadLetters } from '../../src/storage/documents/kinds.ts'
import { putDocument } from '../../src/storage/documents.ts'
import { until } from '../until.ts'
import { type Machine, openMachine } from './machine.ts'
import { commandsOfPages } from './pages.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const commands = commandsOfPages()
/** Commands that a test below has run, as the pages write them. */
const tried = new Set<string>()
const isThere = (program: string) => spawnSync(program, ['--version']).error === undefined

async function machine({ onTestFinished, expect }: TestContext) {
  const opened = await openMachine()
  onTestFinished(() => opened.close())
  const isTried = (command: string) => {
    tried.add(command)
    return command
  }
  return {
    ...opened,
    /** Runs a command of a page, which must succeed; returns its output. */
    async does(command: string): Promise<string> {
      const { code, said } = await opened.run(isTried(command))
      expect([command, code, said]).toEqual([command, 0, said])
      return said
    },
    begins: (command: string, word: RegExp, more?: Record<string, string>) =>
      opened.begin(isTried(command), word, more),
  }
}

/** A person begins a record, so that there is data to ask about. */
async function beginsRecord({ emulator }: Machine, uuid: string): Promise<void> {
  const person = emulator.person()
  person.start(`record_${uuid}`)
  await until(() => person.lastWith('begin:') !== undefined, { explain: emulator.transcript })
  person.tap(/^begin:/)
  await until(() => person.messages.filter(({ from }) => from.is_bot).length > 1)
}

/** Stores two messages of a chat as dead letters. */
async function setsAside({ clone }: Machine): Promise<void> {
  const settings = read_(join(clone, '.env'))
  const loaded = loadConfig({
    ...settings,
    DATA_DIR: join(clone, 'data'),
    DATA_KEY_FILE: join(clone, 'data.key'),
  })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  const { store, vault } = await openExisting(loaded.config)
  const letter = (id: string) => ({
    ...{
      id,
      actor: 'chat:w',
      body: { type: 'event' },
      at: 0,
      times: 1,
      why: 'Error: no',
      trace: 'abcdefghijkl',
    },
  })
  const term = { now: Date.now(), retentionDays: 30 }
  await putDocument({ store, vault, term }, deadLetters, 'w', {
    letters: [letter('aaaaaa'), letter('bbbbbb')],
  })
  await store.close()
}
const read_ = (file: string) =>
  Object.fromEntries(
    [...readFileSync(file, 'utf8').matchAll(/^(\w+)="(.*)"$/gm)].map(([, name, value]) => [name, value]),
  )

const newestIn = (folder: string) => join(folder, readdirSync(folder).sort().at(-1) ?? '')

describe.concurrent('the commands of the pages work', () => {
  test('for the first night, problems, an upgrade and the way back', async (context) => {
    const { expect } = context
    const own = await machine(context)
    const { does, begins, clone, sandbox, means, fillIn } = own
    const uuid = sandbox.addRecord({ testId: 'mood-7' })
    means('<uuid>', uuid)
    await does('cp .env.example .env && chmod 600 .env')
    await fillIn(join(clone, '.env'))
    expect(await does('npm ci && npm run build')).toContain('spoken: vite build --config build.config.ts')
    const checked = await does('npx porsa check')
    expect(
      checked
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('ok')),
    ).toEqual([])
    expect(await does('npx porsa --help')).toContain('porsa <command>')
    expect(await does('npx porsa --version')).toMatch(/^porsa \d+\.\d+\.\d+ \(\w+\)/)

    const bot = await begins('npx porsa start', /"msg":"started"/)
    const ready = () => own.run('curl -s 127.0.0.1:8080/readyz')
    await until(async () => (await ready()).said.includes('"status":"ready"'), { explain: bot.said })
    if (isThere('curl')) await does('curl -s 127.0.0.1:8080/readyz')
    for (const part of ['telegram', 'service', 'storage', 'webhook', 'clock', 'room', 'backup'])
      expect(bot.said()).toContain(`"part":"${part}","msg":"works"`)
    const link = await does('npx porsa link record <uuid>')
    expect(link).toMatch(new RegExp(`^https://t.me/\\w+\\?start=record_${uuid}\\n[\\s\\S]*█`))
    expect(await does('npx porsa backup ./copies')).toMatch(/porsa-\w+\.db[\s\S]*documents/)
    expect(await does('npx porsa stuck')).toBe('nothing is stuck\n')

    await beginsRecord(own, uuid)
    const traced = await does('porsa trace record <uuid>')
    const [, trace = ''] = /^(\w+) {2}has it$/m.exec(traced) ?? []
    await writeFile(join(clone, 'log'), bot.said())
    means('"…")\'', `"${trace}")' log`)
    if (isThere('jq')) expect(await does(`jq 'select(.trace == "…")'`)).toContain(trace)
    await does('porsa check')

    await bot.stop()
    means('<file>', newestIn(join(clone, 'copies')))
    expect(await does('porsa restore <file>')).toContain('it is in its place')
    const again = await own.begin('npx porsa start', /"msg":"started"/)
    await until(async () => (await ready()).said.includes('"status":"ready"'), { explain: again.said })
    // This process holds the store from now on; a restore would refuse that.
    await setsAside(own)
    expect(await does('porsa stuck')).toMatch(/^aaaaaa {2}chat .*\n.*\nbbbbbb/)
    means('<number>', 'aaaaaa')
    await does('porsa stuck repeat <number>')
    means('<number>', 'bbbbbb')
    expect(await does('porsa stuck drop <number>')).toBe('1 dropped\n')
    await does('git pull && npm ci && npm run build && npx porsa check')
    means('<commit>', 'HEAD')
    await does('git checkout <commit>')
    await again.stop()
  })

  test('for the short start of the README, and a file of invitations', async (context) => {
    const { expect } = context
    const { does, begins, clone, sandbox, means, fillIn } = await machine(context)
    means('<uuid>', sandbox.addRecord({ testId: 'mood-7' }))
    await does('cp .env.example .env && chmod 600 .env')
    await fillIn(join(clone, '.env'))
    expect(await does('npm run check')).toContain('ok      telegram')
    const bot = await begins('npm start', /"part":"service","msg":"works"/)
    expect(await does('npm run link -- record <uuid>')).toContain('https://t.me/')
    await writeFile(join(clone, 'file.csv'), `${sandbox.addRecord({ testId: 'mood-7' })},4711\n`)
    expect(await does('npm run link -- --csv file.csv')).toMatch(
      /token,kind,external_id,code,link,error[\s\S]*i_\w{12}/,
    )
    await bot.stop()
  })

  test('for the demo, a fresh one, and the sandbox alone', async (context) => {
    const { expect } = context
    const { begins } = await machine(context)
    const port = { PORT: '0', SANDBOX_PORT: '0' }
    for (const command of ['npm ci && npm run demo', 'npm run demo -- --fresh']) {
      const demo = await begins(command, /http:\/\/127\.0\.0\.1:\d+/, port)
      await demo.stop()
    }
    // The first round has run the same.
    tried.add('npm run demo')
    const sandbox = await begins('npm run sandbox', /http:\/\/127\.0\.0\.1:\d+\/v2/, port)
    expect(sandbox.said()).toContain('sandbox')
    await sandbox.stop()
  })

  test('for a machine with systemd', async (context) => {
    const { expect } = context
    const { run, does, dir, clone, fillIn } = await machine(context)
    await run('cd .. && rm -r porsa')
    const [laid, folder, settings, key, unit, check, enabled] = commands.filter((command) =>
      /^sudo |^openssl .*\/etc/.test(command),
    )
    await does(laid ?? '')
    for (const command of [folder, settings]) await does(command ?? '')
    const own = { DATA_DIR: join(dir, 'var/lib/porsa'), DATA_KEY_FILE: join(dir, 'etc/porsa/data.key') }
    await fillIn(join(dir, 'etc/porsa/porsa.env'), own)
    await does(key ?? '')
    expect(await readFile(own.DATA_KEY_FILE, 'utf8')).toMatch(/^[\w+/]{43}=\n$/)
    expect(await does(unit ?? '')).toBe('spoken: systemctl daemon-reload\n')
    expect(await does(check ?? '')).not.toContain('FAILED')
    expect(await does(enabled ?? '')).toBe(
      'spoken: systemctl enable --now porsa\nspoken: journalctl -fu porsa\n',
    )
    await does(commands.find((command) => command.startsWith('sed ')) ?? '')
    const second = await readFile(join(dir, 'etc/systemd/system/porsa-2.service'), 'utf8')
    expect(second).toMatch(/^ExecStart=\/usr\/bin\/env PORT=8081 DATA_KEY_FILE/m)
    await does('sudo systemctl daemon-reload && sudo systemctl enable --now porsa-2')
    await does('openssl rand -base64 32')
    await does('openssl rand -hex 24')
    expect(existsSync(clone)).toBe(true)
  })

  test('for a developer', async (context) => {
    const { expect } = context
    const { does, means } = await machine(context)
    means('<code>', 'de')
    await does('cp locales/en.ftl locales/<code>.ftl')
    for (const command of ['npm test', 'npm run format', 'npm run texts', 'npm run types'])
      expect([command, await does(command)]).toEqual([command, expect.stringContaining('spoken: ')])
    for (const command of commands.filter((each) => each.startsWith('npx vitest run '))) {
      expect(await does(command)).toContain('spoken: vitest run ')
      expect(existsSync(new URL(command.split(' ').at(-1) ?? '', root))).toBe(true)
    }
  })
})

describe('a command that takes longer, or is not for this machine', () => {
  const long = commands.filter((command) =>
    /^npm run (simulate|chaos|fuzz|faults|mutate|alerts|bench|screens|fonts)\b|^npm (outdated|audit)/.test(
      command,
    ),
  )
  test.each(long)('%s is run by .ci/run, and its options are there', (command) => {
    const [, , name = '', ...rest] = command.split(' ')
    const program = command.startsWith('npm run ') ? `npm run ${name}` : command
    expect(read('.ci/run')).toContain(program)
    const known = ['fuzz', 'simulate'].includes(name) ? 'simulate' : name
    const source =
      rest.length === 0
        ? ''
        : readdirSync(new URL(`tools/${known}/`, root))
            .filter((file) => file.endsWith('.ts'))
            .map((file) => read(`tools/${known}/${file}`))
            .join('\n')
    for (const option of rest.filter((each) => /^--\w/.test(each)))
      expect(source).toMatch(new RegExp(`\\b${option.slice(2)}\\b`))
    tried.add(command)
  })

  const docker = commands.filter((command) => command.startsWith('docker '))
  test.each(docker)('uses what docker-compose.yml defines: %s', (command) => {
    const compose = read('docker-compose.yml')
    const [, profile] = / --profile (\w+)/.exec(command) ?? []
    if (profile) expect(compose).toMatch(new RegExp(`profiles: \\[${profile}\\]`))
    const [, service] = / (?:run --rm|up) (\w+)/.exec(command) ?? []
    if (service) expect(compose).toMatch(new RegExp(`^  ${service}:$`, 'm'))
    const [, variables = ''] = /^([A-Z_]+=\S+ )*/.exec(command) ?? []
    for (const name of variables.match(/[A-Z_]+(?==)/g) ?? []) expect(compose).toContain(`\${${name}`)
    const { status } = spawnSync('docker', ['compose', 'version'])
    if (status !== 0) console.log(`skipped: ${command}: no docker compose here`)
    else {
      const env = { ...process.env, REDIS_PASSWORD: 'a' }
      const { status: read, stderr } = spawnSync('docker', ['compose', 'config', '--quiet'], {
        cwd: root,
        env,
      })
      expect([read, String(stderr)]).toEqual([0, String(stderr)])
    }
    tried.add(command)
  })
})

test('every command of the pages is tried here', () => {
  expect(commands.length).toBeGreaterThan(40)
  expect(commands.filter((command) => !tried.has(command))).toEqual([])
})
