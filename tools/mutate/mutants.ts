import { parseAst } from 'vite'

/** A change of the code that some test has to notice: a replacement for the text between two positions. */
export type Mutant = {
  start: number
  end: number
  instead: string
  line: number
  /** The mutant is a statement: without a semicolon its bracket would continue the previous line. */
  isStatement: boolean
}

/** A loop: the position and the code that counts its turns there. */
type Turn = { at: number; code: string }

type Node = { type: string; start: number; end: number } & Record<string, unknown>

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
}
const METHODS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    some: 'every',
    every: 'some',
    min: 'max',
    max: 'min',
    startsWith: 'endsWith',
    endsWith: 'startsWith',
  }),
)
/** Calls that return a value of the same kind as their receiver. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'filter',
  'slice',
  'trim',
  'sort',
  'toSorted',
  'reverse',
  'toReversed',
])
const FUNCTIONS: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
])
const LOOPS: ReadonlySet<string> = new Set([
  'ForStatement',
  'ForOfStatement',
  'ForInStatement',
  'WhileStatement',
  'DoWhileStatement',
])

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** `'key' in value`. */
const isAskedFor = (node: Node): boolean => node.type === 'BinaryExpression' && node.operator === 'in'

/** The mutants of a file's functions, and its loops; code that runs as the module loads is not mutated. */
export function mutantsIn(code: string): { mutants: Mutant[]; turns: Turn[] } {
  const mutants: Mutant[] = []
  const turns: Turn[] = []
  const text = ({ start, end }: Node) => code.slice(start, end)
  const lineOf = (at: number) => code.slice(0, at).split('\n').length

  function changesOf(node: Node): readonly string[] {
    const { type } = node
    if (type === 'BinaryExpression' || type === 'LogicalExpression') {
      const [left, right] = [node.left as Node, node.right as Node]
      // A concatenation of texts is not a sum.
      if (
        node.operator === '+' &&
        [left, right].some((side) => /Literal$/.test(side.type) && /^['"`]/.test(text(side)))
      )
        return []
      return (OPERATORS[String(node.operator)] ?? []).map(
        (other) => `(${text(left)}) ${other} (${text(right)})`,
      )
    }
    if (type === 'UnaryExpression' && node.operator === '!') return [text(node.argument as Node)]
    if (type === 'Literal' && typeof node.value === 'boolean') return [String(!node.value)]
    if (type === 'ArrayExpression' && (node.elements as unknown[]).length > 0) return ['[]']
    if (type === 'ConditionalExpression') {
      const both = [text(node.consequent as Node), text(node.alternate as Node)]
      // A key that is not in the object gives undefined with or without the check.
      return isAskedFor(node.test as Node) && both[1] === 'undefined' ? both.slice(1) : both
    }
    if (type === 'CallExpression') {
      const callee = node.callee as Node
      const property = callee.property as Node | undefined
      if (callee.type !== 'MemberExpression' || callee.computed || callee.optional || !property) return []
      const receiver = text(callee.object as Node)
      const other = METHODS.get(text(property))
      if (other) return [`${receiver}.${other}${code.slice(property.end, node.end)}`]
      return LEFT_OUT.has(text(property)) ? [receiver] : []
    }
    return []
  }

  function add(node: Node, instead: readonly string[], isStatement = false): void {
    for (const one of instead)
      mutants.push({ start: node.start, end: node.end, instead: one, line: lineOf(node.start), isStatement })
  }

  function walk(node: Node, isInside: boolean, isAsIs = false): void {
    if (
      node.type.startsWith('TS') &&
      !['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'].includes(node.type)
    )
      return
    if (['ImportDeclaration', 'ExportAllDeclaration'].includes(node.type)) return
    if (isInside && !isAsIs) add(node, changesOf(node))
    if (isInside && node.type === 'IfStatement') add(node.test as Node, ['true', 'false'])
    if (isInside && node.type === 'ExpressionStatement') add(node.expression as Node, ['undefined'], true)
    if (LOOPS.has(node.type) && isNode(node.test))
      turns.push({ at: node.test.start, code: 'mutation.turns(), ' })
    else if (LOOPS.has(node.type) && (node.body as Node).type === 'BlockStatement')
      turns.push({ at: (node.body as Node).start + 1, code: ' mutation.turns();' })
    const inside = isInside || FUNCTIONS.has(node.type)
    for (const [name, child] of Object.entries(node)) {
      // Names, types and template texts stay as they are; a chain is changed as a whole or not at all.
      const isName = (name === 'key' || name === 'property') && !node.computed
      if (isName || name === 'typeAnnotation' || name === 'quasi' || name === 'typeArguments') continue
      const asIs =
        name === 'callee' ||
        (node.type === 'ChainExpression' && name === 'expression') ||
        (isAsIs && name === 'object') ||
        (name === 'left' && node.type.startsWith('Assignment'))
      for (const one of Array.isArray(child) ? child : [child]) if (isNode(one)) walk(one, inside, asIs)
    }
  }

  walk(parseAst(code, { lang: 'ts' }) as unknown as Node, false)
  return { mutants, turns }
}

/** The code with all its mutants; each has a number, counted from `first`, and acts while it is on. */
export function withMutants(
  code: string,
  { mutants, turns }: ReturnType<typeof mutantsIn>,
  first: number,
): string {
  const numbered = mutants.map((mutant, at) => ({ ...mutant, number: first + at }))
  function render(start: number, end: number, among: readonly (Mutant & { number: number })[]): string {
    let out = ''
    let at = start
    const rest = [...among].sort((one, other) => one.start - other.start || other.end - one.end)
    while (rest.length > 0) {
      const outer = rest[0] as Mutant
      const same = rest.filter((one) => one.start === outer.start && one.end === outer.end)
      const within = rest.filter((one) => one.start >= outer.start && one.end <= outer.end)
      for (const one of within) rest.splice(rest.indexOf(one), 1)
      const inner = render(
        outer.start,
        outer.end,
        within.filter((one) => !same.includes(one)),
      )
      const changed = same.map(({ number, instead }) => `mutation.is(${number}) ? (${instead}) : `).join('')
      const beginning = same.some(({ isStatement }) => isStatement) ? 'void ' : ''
      out += `${plain(at, outer.start)}${beginning}(${changed}(${inner}))`
      at = outer.end
    }
    return out + plain(at, end)
  }
  function plain(start: number, end: number): string {
    let out = ''
    let at = start
    const within = turns.filter((turn) => turn.at > start && turn.at <= end)
    for (const turn of within.sort((one, other) => one.at - other.at)) {
      out += `${code.slice(at, turn.at)}${turn.code}`
      at = turn.at
    }
    return out + code.slice(at, end)
  }
  return render(0, code.length, numbered)
}
