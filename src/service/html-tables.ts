import { attribute, type Element, elementsBelow, type Step, wordsOf } from './html-walk.ts'

/** What the tables of a page say of the buttons in them. */
type TableCells = {
  /** The words of the column's head, for a button that has no label of its own (a Likert table). */
  columnOf(radio: Element): string | undefined
  /** The words of the row's first cell. */
  rowOf(control: Element): string | undefined
  /** Whether a row or cell was read here, so that its words are not read again. */
  isRead(element: Element): boolean
}

type Cell = { element: Element; column: number; span: number; words: string; controls: Element[] }

/** Reads the tables in which a row is a question and a column an option. */
export function readTables(steps: readonly Step[], hasLabel: (element: Element) => boolean): TableCells {
  const columns = new Map<Element, string>()
  const rows = new Map<Element, string>()
  const read = new Set<Element>()
  const open: { table: Element; head: Cell[] | undefined; headRow: Element | undefined }[] = []

  for (const step of steps) {
    if ('leave' in step && open.at(-1)?.table === step.leave) open.pop()
    if (!('enter' in step)) continue
    if (step.enter.tagName === 'table') open.push({ table: step.enter, head: undefined, headRow: undefined })
    const current = open.at(-1)
    if (!current || step.enter.tagName !== 'tr') continue
    const cells = cellsOf(step.enter)
    const buttons = cells.flatMap(({ controls }) => controls)
    if (buttons.length === 0) {
      if (cells.filter(({ words }) => words !== '').length > 1)
        Object.assign(current, { head: cells, headRow: step.enter })
      continue
    }
    const bare = buttons.filter((each) => each.tagName === 'input' && !hasLabel(each))
    const worded = cells.filter(({ words, controls }) => words !== '' && controls.length === 0)
    // A number in front is the row's own.
    const title = worded.find(({ words }) => /\p{L}/u.test(words))
    if (title && cells.filter(({ controls }) => controls.length > 0).length > 1) {
      for (const each of buttons) rows.set(each, title.words)
      for (const { element, words } of worded)
        if (element === title.element || /^[\d۰-۹٠-٩.)]+$/.test(words)) read.add(element)
    }
    if (bare.length === 0 || !current.head) continue
    for (const { column, controls, words } of cells) {
      const head = current.head.find((cell) => column >= cell.column && column < cell.column + cell.span)
      if (words === '' && head?.words) for (const each of controls) columns.set(each, head.words)
    }
    if (current.headRow && bare.some((each) => columns.has(each))) read.add(current.headRow)
  }
  return {
    columnOf: (radio) => columns.get(radio),
    rowOf: (control) => rows.get(control),
    isRead: (element) => read.has(element),
  }
}

function cellsOf(row: Element): Cell[] {
  let column = 0
  return elementsBelow(row)
    .filter((each) => (each.tagName === 'td' || each.tagName === 'th') && each.parentNode === row)
    .map((element) => {
      const span = Math.min(Math.max(Number(attribute(element, 'colspan')) || 1, 1), 100)
      const controls = elementsBelow(element).filter(({ tagName }) => ['input', 'select'].includes(tagName))
      const cell = { element, column, span, words: wordsOf(element), controls }
      column += span
      return cell
    })
}
