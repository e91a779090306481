import { type Element, elementsBelow, wordsOf } from '../domain/html-tree.ts'

export const isControl = ({ tag }: Element): boolean => ['select', 'textarea', 'input'].includes(tag)

const DISABLING = new Set(['input', 'select', 'option', 'optgroup', 'fieldset'])

/** Whether a button or option cannot be chosen and is not submitted, by itself or by what it stands in. */
export function isDisabled({ tag, attributes, parent }: Element): boolean {
  if (attributes.has('disabled') && DISABLING.has(tag)) return true
  // HTML: a disabled fieldset does not disable what stands in its legend.
  const around = tag === 'legend' && parent?.tag === 'fieldset' ? parent.parent : parent
  return around !== undefined && isDisabled(around)
}

/** What a page tells about its controls outside of their place: labels, names, and tables. */
export type Controls = {
  labels: ReadonlyMap<Element, Element>
  /** The titles of the row and the column of a control (a Likert table). */
  rows: Map<Element, string>
  columns: Map<Element, string>
  /** Labels, rows and cells whose words are read with a control, not at their own place. */
  readElsewhere: Set<Element>
  ariaName(element: Element): string | undefined
}

export function readControls(root: Element): Controls {
  const elements = elementsBelow(root)
  const byId = new Map(elements.map((each) => [each.attributes.get('id'), each]))
  const named = (id: string | undefined) => (id ? byId.get(id) : undefined)
  const labels = new Map<Element, Element>()
  for (const label of elements.filter(({ tag }) => tag === 'label')) {
    const target = named(label.attributes.get('for'))
    const inside = elementsBelow(label).filter(isControl)
    const control = target && isControl(target) ? target : inside[0]
    // One label around several controls names none of them.
    if (control && inside.length < 2) labels.set(control, label)
  }
  const controls: Controls = {
    ...{ labels, rows: new Map(), columns: new Map(), readElsewhere: new Set(labels.values()) },
    ariaName({ attributes }) {
      const by = named(attributes.get('aria-labelledby'))
      return attributes.get('aria-label') || (by && wordsOf(by))
    },
  }
  for (const table of elements.filter(({ tag }) => tag === 'table')) readTable(table, controls)
  return controls
}

type Row = { element: Element; cells: Cell[] }
type Cell = { element: Element; column: number; span: number; words: string; controls: Element[] }

/** Reads a table whose rows are questions and whose columns are options. */
function readTable(table: Element, controls: Controls): void {
  let head: Row | undefined
  for (const element of rowsOf(table)) {
    const row = { element, cells: cellsOf(element) }
    if (row.cells.some((cell) => cell.controls.length > 0)) readRow(row, head, controls)
    else if (row.cells.filter(({ words }) => words !== '').length > 1) head = row
  }
}

function readRow({ cells }: Row, head: Row | undefined, { labels, rows, columns, readElsewhere }: Controls) {
  const answers = cells.filter(({ controls }) => controls.length > 0)
  const worded = cells.filter(({ words, controls }) => words !== '' && controls.length === 0)
  // A leading number belongs to the row.
  const title = worded.find(({ words }) => /\p{L}/u.test(words))
  if (title && answers.length > 1) {
    for (const each of answers.flatMap(({ controls }) => controls)) rows.set(each, title.words)
    for (const { element, words } of worded)
      if (element === title.element || /^[\d۰-۹٠-٩.)]+$/.test(words)) readElsewhere.add(element)
  }
  for (const { column, controls, words } of answers) {
    const above = head?.cells.find((cell) => column >= cell.column && column < cell.column + cell.span)
    const bare = controls.filter((each) => each.tag === 'input' && !labels.has(each))
    if (!head || !above?.words || words !== '' || bare.length === 0) continue
    for (const each of bare) columns.set(each, above.words)
    readElsewhere.add(head.element)
  }
}

/** The rows of a table, without those of nested tables. */
const rowsOf = ({ children }: Element): Element[] =>
  children.flatMap((child) => {
    if (typeof child === 'string' || child.tag === 'table') return []
    return child.tag === 'tr' ? [child] : rowsOf(child)
  })

function cellsOf({ children }: Element): Cell[] {
  let column = 0
  return children.flatMap((element) => {
    if (typeof element === 'string' || (element.tag !== 'td' && element.tag !== 'th')) return []
    const span = Math.min(Math.max(Number(element.attributes.get('colspan')) || 1, 1), 100)
    const controls = elementsBelow(element).filter(({ tag }) => tag === 'input' || tag === 'select')
    const cell = { element, column, span, words: wordsOf(element), controls }
    column += span
    return [cell]
  })
}
