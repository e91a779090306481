import { readTables } from './html-tables.ts'
import { attribute, type Element, elementsBelow, type Step, wordsOf } from './html-walk.ts'

/** What stands beside a control: words, or a picture. */
type Label = { text: string; picture?: string | undefined }

export const isControl = ({ tagName }: Element): boolean =>
  tagName === 'select' || tagName === 'textarea' || tagName === 'input'

/** Whether controls in it may belong together. */
export const isGroup = (element: Element): boolean =>
  element.tagName === 'fieldset' || attribute(element, 'role') === 'radiogroup'

export type Controls = ReturnType<typeof readControls>

/** What a whole page says of its controls, before it is read from top to bottom. */
export function readControls(steps: readonly Step[]) {
  const elements = steps.flatMap((step) => ('enter' in step ? [step.enter] : []))
  const byId = new Map(
    elements.flatMap((each) => (attribute(each, 'id') ? [[attribute(each, 'id'), each]] : [])),
  )
  const labels = readLabels(elements, byId)
  const names = readNames(steps)
  const tables = readTables(steps, (element) => labels.has(element))
  const ownLabels = new Set(labels.values())

  const ariaName = (element: Element): string | undefined => {
    const by = byId.get(attribute(element, 'aria-labelledby') ?? '')
    return attribute(element, 'aria-label') || (by && wordsOf(by))
  }

  return {
    ariaName,
    rowOf: tables.rowOf,
    /** Whether its words are read with a control, and not where they stand. */
    isReadElsewhere: (element: Element): boolean => ownLabels.has(element) || tables.isRead(element),
    isOwnLabel: (element: Element): boolean => ownLabels.has(element),
    /** Whether all controls in a group belong to one question. */
    isOneQuestion: (group: Element): boolean => names.get(group)?.size === 1,
    labelOf(control: Element): Label {
      const label = labels.get(control)
      const { text, picture } = label ? readLabel(label) : { text: '', picture: undefined }
      return {
        text: text || ariaName(control) || attribute(control, 'title') || tables.columnOf(control) || '',
        picture,
      }
    },
    /** The words that a list's label consists of. */
    nameOf(list: Element): string | undefined {
      const label = labels.get(list)
      return (label && wordsOf(label)) || ariaName(list)
    },
  }
}

/** Labels by the control that they name. */
function readLabels(
  elements: readonly Element[],
  byId: ReadonlyMap<string | undefined, Element>,
): Map<Element, Element> {
  const labels = new Map<Element, Element>()
  for (const label of elements.filter(({ tagName }) => tagName === 'label')) {
    const named = byId.get(attribute(label, 'for') ?? '')
    const inside = elementsBelow(label).filter(isControl)
    const control = named && isControl(named) ? named : inside[0]
    // One label around several buttons names none of them.
    if (control && inside.length < 2) labels.set(control, label)
  }
  return labels
}

/** The names of the controls within each group. */
function readNames(steps: readonly Step[]): Map<Element, Set<string>> {
  const names = new Map<Element, Set<string>>()
  const open: Element[] = []
  for (const step of steps) {
    if ('leave' in step && open.at(-1) === step.leave) open.pop()
    if (!('enter' in step)) continue
    if (isGroup(step.enter)) {
      open.push(step.enter)
      names.set(step.enter, new Set())
    } else if (isControl(step.enter)) {
      for (const group of open) names.get(group)?.add(attribute(step.enter, 'name') ?? '')
    }
  }
  return names
}

function readLabel(label: Element): Label {
  const image = elementsBelow(label).find(({ tagName }) => tagName === 'img')
  return {
    text: wordsOf(label) || (image && attribute(image, 'alt')) || '',
    picture: image && (attribute(image, 'src') ?? ''),
  }
}
