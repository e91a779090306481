import { readFileSync, writeFileSync } from 'node:fs'
import { variableNames } from '../../src/config.ts'
import { alertsList, settingsList, withLists } from './tables.ts'

// Run in the folder of the project: writes the present settings and alerts into docs/operate.md.
const read = (path: string) => readFileSync(path, 'utf8')
const page = 'docs/operate.md'
writeFileSync(
  page,
  withLists(read(page), {
    settings: settingsList(variableNames, read('.env.example')),
    alerts: alertsList(read('ops/prometheus-alerts.yml')),
  }),
)
