import { readFileSync } from 'node:fs'
import { FluentBundle, FluentDateTime, FluentResource, type FluentVariable } from '@fluent/bundle'
import { isolated, keepTokensInOrder, withDirection, withoutNeedlessMarks } from './direction.ts'
import type { TextKey, TextVariables } from './keys.ts'
import { isRightToLeft, LANGUAGE_CODES, LANGUAGES, type Language } from './languages.ts'

export type { Language } from './languages.ts'

/** Text that is Telegram HTML already: it is inserted into other texts unchanged. */
export type Html = { readonly html: string }

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }

/** Bidi marks, embeddings and isolates; not ZWNJ, which Persian needs. */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Keys of texts without variables. */
export type SimpleTextKey = { [K in TextKey]: TextVariables[K] extends undefined ? K : never }[TextKey]

type Say = {
  (key: SimpleTextKey): string
  <K extends TextKey>(key: K, variables: TextVariables[K]): string
}

/** Returns a text in one language as Telegram HTML; `plain` returns it for places without HTML. */
export type Translate = Say & { readonly plain: Say; readonly language: Language }

export type Texts = { for(language: Language): Translate }

type Values = Record<string, string | number | Date | Html>

/** The inviter's name and contact: `$organizer` and `$contact` in every text. */
type Inviter = { organizerName: string; organizerContact: string }

/**
 * Reads `locales/`; throws when the files do not have the same texts. Broken texts throw when they are used,
 * and so do texts that name the inviter when none is given.
 */
export function loadTexts(inviter?: Inviter, read: (language: Language) => string = readLocale): Texts {
  const bundles = LANGUAGE_CODES.map((language) => ({ language, ...createBundle(language, read(language)) }))
  const everyKey = new Set(bundles.flatMap(({ keys }) => [...keys]))
  const lonely = [...everyKey].filter((key) => bundles.some(({ keys }) => !keys.has(key)))
  if (lonely.length > 0) throw new Error(`Texts broken or missing in one language: ${lonely.join(', ')}`)
  const translates = Object.fromEntries(
    bundles.map(({ language, bundle }) => [language, createTranslate(language, bundle, inviter)]),
  ) as Record<Language, Translate>
  return { for: (language) => translates[language] }
}

/** The source of a language's texts. */
export function readLocale(language: Language): string {
  return readFileSync(new URL(`../../locales/${language}.ftl`, import.meta.url), 'utf8')
}

function createBundle(language: Language, source: string) {
  // Marks around every value would break links and be copied with codes: direction.ts adds the needed ones.
  const bundle = new FluentBundle(LANGUAGES[language].locale, { useIsolating: false })
  const resource = new FluentResource(source)
  const [duplicate] = bundle.addResource(resource)
  if (duplicate) throw new Error(`${language}.ftl: ${duplicate.message}`)
  const keys = new Set<string>()
  for (const { id, value, attributes } of resource.body) {
    if (id.startsWith('-')) continue
    if (value !== null) keys.add(id)
    for (const attribute of Object.keys(attributes)) keys.add(`${id}.${attribute}`)
  }
  return { bundle, keys }
}

function createTranslate(language: Language, bundle: FluentBundle, inviter?: Inviter): Translate {
  const isRtl = isRightToLeft(language)
  const { organizerName: organizer, organizerContact: contact } = inviter ?? {}
  const known = organizer && contact ? toFluent({ organizer, contact }, isRtl) : {}
  const format = (key: string, values: Values = {}): string => {
    const [id = '', attribute] = key.split('.')
    const message = bundle.getMessage(id)
    const pattern = attribute === undefined ? message?.value : message?.attributes[attribute]
    if (pattern === null || pattern === undefined) throw new Error(`No text ${key} in ${language}`)
    const errors: Error[] = []
    const text = bundle.formatPattern(pattern, { ...known, ...toFluent(values, isRtl) }, errors)
    if (errors[0]) throw new Error(`Text ${key} in ${language}: ${errors[0].message}`)
    return isRtl ? keepTokensInOrder(text) : text
  }
  const say = (key: string, values?: Values) =>
    withoutNeedlessMarks(withDirection(format(key, values), isRtl))
  const sayPlainly = (key: string, values?: Values) => plain(withoutNeedlessMarks(format(key, values)))
  return Object.assign(onceIfFixed(say), { plain: onceIfFixed(sayPlainly), language })
}

/** Caches texts without variables. */
function onceIfFixed(say: (key: string, values?: Values) => string) {
  const said = new Map<string, string>()
  return (key: string, values?: Values): string => {
    if (values) return say(key, values)
    const text = said.get(key) ?? say(key)
    said.set(key, text)
    return text
  }
}

function toFluent(values: Values, isRtl: boolean): Record<string, FluentVariable> {
  const variables: Record<string, FluentVariable> = {}
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string') variables[name] = isolated(escapeHtml(value), isRtl)
    else if (typeof value === 'number') variables[name] = value
    // A date is a calendar day, given as midnight in UTC; the machine's time zone must not move it.
    else if (value instanceof Date) variables[name] = new FluentDateTime(value, { timeZone: 'UTC' })
    else variables[name] = value.html
  }
  return variables
}

/** Marks HTML as trusted, usually another text. */
export const raw = (html: string): Html => ({ html })

/** Makes foreign text safe in a message: escapes it for Telegram's HTML and removes its bidi controls. */
export function escapeHtml(text: string): string {
  const bare = text.replace(BIDI_CONTROLS, '')
  return bare.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The plain text of an HTML text, for places without HTML: toasts, button labels, file names. */
export function plain(html: string): string {
  return html
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity)
}

/** Shortens a text to `most` letters, as Telegram counts them; it then ends with `…`. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const letters = [...text]
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join('')}…`
}
