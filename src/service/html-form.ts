import { type DefaultTreeAdapterTypes, parse, defaultTreeAdapter as tree } from 'parse5'
import { toAsciiDigits } from '../domain/persian/digits.ts'
import type { Question } from '../domain/questionnaire.ts'
import { ServiceError } from './errors.ts'

type Node = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.Document
type Element = DefaultTreeAdapterTypes.Element

/** Controls that carry no answer of their own. */
const SILENT_INPUTS = new Set(['hidden', 'submit', 'button', 'reset', 'image'])
const ANSWER_ELEMENTS = new Set(['select', 'textarea'])
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

/**
 * Reads an HTML form that asks by radio buttons: each group, in document order, is a question (name = its id), each
 * button an option (value = its id, its label the text); the question's text is the legend of the group's own
 * fieldset, or the nearest heading since the group before. Throws `questions_unreadable` for any other form: a
 * question that cannot be shown faithfully must not be answered.
 */
export function readHtmlForm(html: string): Question[] {
  const elements = [...walk(parse(html))]
  const labels = new Map(
    elements
      .filter((element) => element.tagName === 'label')
      .flatMap((label) =>
        attribute(label, 'for') ? [[attribute(label, 'for'), textOf(label)] as const] : [],
      ),
  )
  const questions = new Map<string, Question>()
  let heading: string | undefined
  for (const element of elements) {
    if (HEADINGS.has(element.tagName)) heading = textOf(element)
    if (ANSWER_ELEMENTS.has(element.tagName)) throw unreadable()
    if (element.tagName !== 'input') continue
    const type = attribute(element, 'type')?.toLowerCase() ?? 'text'
    if (SILENT_INPUTS.has(type)) continue
    const name = attribute(element, 'name')
    const value = attribute(element, 'value')
    const label =
      labels.get(attribute(element, 'id')) || wrappingLabel(element) || attribute(element, 'aria-label')
    if (type !== 'radio' || !name || !value || !label) throw unreadable()
    let question = questions.get(name)
    if (!question) {
      const text = legendOf(element, name) || heading
      if (!text) throw unreadable()
      question = { id: name, text, options: [] }
      questions.set(name, question)
    }
    heading = undefined // a heading speaks for one group only
    // One label around several buttons names none of them.
    if (question.options.some((option) => option.label === label)) throw unreadable()
    question.options.push({ id: value, label })
  }
  return withoutOrdinals([...questions.values()])
}

/** A page may number its questions; so do we. Only a number in front of every text that is its place is one. */
function withoutOrdinals(questions: Question[]): Question[] {
  const parted = questions.map(({ text }) => /^(\d{1,4})\s*[.)\-–:،]\s*(?=\S)/.exec(toAsciiDigits(text)))
  if (parted.some((match, index) => Number(match?.[1]) !== index + 1)) return questions
  return questions.map((question, index) => ({
    ...question,
    text: question.text.slice(parted[index]?.[0].length),
  }))
}

/** The legend of the nearest fieldset that holds this group and no other. */
function legendOf(radio: Element, name: string): string | undefined {
  const fieldset = closest(radio, 'fieldset')
  if (!fieldset) return undefined
  const inside = [...walk(fieldset)]
  const isOwn = inside.every(
    (element) => attribute(element, 'type')?.toLowerCase() !== 'radio' || attribute(element, 'name') === name,
  )
  const legend = inside.find((element) => element.tagName === 'legend')
  return isOwn && legend ? textOf(legend) : undefined
}

function wrappingLabel(radio: Element): string | undefined {
  const label = closest(radio, 'label')
  return label && textOf(label)
}

function closest(element: Element, tagName: string): Element | undefined {
  for (let node = element.parentNode; node && tree.isElementNode(node); node = node.parentNode) {
    if (node.tagName === tagName) return node
  }
  return undefined
}

/** All elements below, in document order. The contents of a `<template>` are not part of the page. */
function* walk(node: Node): Generator<Element> {
  if (!('childNodes' in node)) return
  for (const child of node.childNodes) {
    if (tree.isElementNode(child)) yield child
    yield* walk(child)
  }
}

function textOf(element: Element): string {
  const collect = (node: Node): string => {
    if (tree.isTextNode(node)) return node.value
    if (!('childNodes' in node) || ['script', 'style'].includes(node.nodeName)) return ''
    return node.childNodes.map(collect).join('')
  }
  return collect(element).replace(/\s+/g, ' ').trim()
}

const attribute = (element: Element, name: string) => element.attrs.find((one) => one.name === name)?.value

const unreadable = () => new ServiceError('questions_unreadable', { reached: 'yes' })
