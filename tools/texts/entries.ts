import { FluentParser, Message, Visitor } from '@fluent/syntax'

/** What a text needs of a variable: a number to count, a date to print, or anything to show. */
export type VariableKind = 'number' | 'Date' | 'any'

/** One text of a file: its key and its variables, sorted by name. */
export type TextEntry = { key: string; variables: Map<string, VariableKind> }

const PLURAL_KEYS = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])

/** Every text of a Fluent file in its order; throws at the first broken line. */
export function readEntries(source: string): TextEntry[] {
  const body = new FluentParser({ withSpans: false }).parse(source).body
  const messages = new Map<string, Message>()
  for (const entry of body) {
    if (entry.type === 'Junk') throw new Error(`Broken text: ${entry.content.trim().split('\n')[0]}`)
    if (entry instanceof Message) messages.set(entry.id.name, entry)
  }
  return [...messages.values()].flatMap((message) => entriesOf(message, messages))
}

function entriesOf({ id, value, attributes }: Message, messages: Map<string, Message>): TextEntry[] {
  const entries: TextEntry[] = []
  if (value) entries.push({ key: id.name, variables: variablesOf(value, messages) })
  for (const attribute of attributes) {
    const key = `${id.name}.${attribute.id.name}`
    entries.push({ key, variables: variablesOf(attribute.value, messages) })
  }
  return entries
}

function variablesOf(pattern: Message['value'], messages: Map<string, Message>): Map<string, VariableKind> {
  const found = new Map<string, VariableKind>()
  const add = (name: string, kind: VariableKind) => found.set(name, narrower(found.get(name) ?? 'any', kind))
  const visitor = Object.assign(new (class extends Visitor {})(), {
    visitVariableReference: (node) => add(node.id.name, 'any'),
    visitFunctionReference: (node) => {
      const kind = node.id.name === 'NUMBER' ? 'number' : node.id.name === 'DATETIME' ? 'Date' : 'any'
      for (const argument of node.arguments.positional) {
        if (argument.type === 'VariableReference') add(argument.id.name, kind)
      }
    },
    visitSelectExpression(node) {
      const { selector, variants } = node
      if (selector.type === 'VariableReference') {
        const counts = variants.every(({ key }) => key.type === 'NumberLiteral' || PLURAL_KEYS.has(key.name))
        add(selector.id.name, counts ? 'number' : 'any')
      }
      visitor.genericVisit(node)
    },
    visitMessageReference: (node) => {
      const other = messages.get(node.id.name)
      const { attribute } = node
      const target = attribute
        ? other?.attributes.find(({ id }) => id.name === attribute.name)?.value
        : other?.value
      if (!target) throw new Error(`A text refers to ${node.id.name}, which is missing`)
      visitor.visit(target)
    },
  } satisfies Partial<Visitor>)
  if (pattern) visitor.visit(pattern)
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The kind that satisfies both uses of a variable. */
export function narrower(a: VariableKind, b: VariableKind): VariableKind {
  if (a !== 'any' && b !== 'any' && a !== b) throw new Error(`A variable is used both as ${a} and as ${b}`)
  return a === 'any' ? b : a
}
