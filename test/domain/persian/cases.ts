import { readFileSync } from 'node:fs'

/** A table of cases beside the tests. */
export function cases<T>(name: 'birth' | 'mobile' | 'names'): T {
  return JSON.parse(readFileSync(new URL(`./cases/${name}-cases.json`, import.meta.url), 'utf8')) as T
}
