import { isAlias, isMap, isNode, isSeq, LineCounter, parseDocument, type Document, type Node, type Pair } from 'yaml'
import { fail, ok, type Result } from '#lib/shared/result.ts'
import { checkReferences } from './check-references.ts'
import { describeIssue } from './describe-issue.ts'
import type { Path } from './expressions.ts'
import { ScenarioFile, type Fragments, type Scenario, type Step } from './schema.ts'

/** A mistake in a scenario file and its position. Lines and columns count from 1. */
export type Mistake = { line: number; column: number; message: string }

const longestFile = 200_000

/** Codes of the YAML parser for a map where none can begin. */
const misreadAsMap: ReadonlySet<string> = new Set(['BLOCK_AS_IMPLICIT_KEY', 'MULTILINE_IMPLICIT_KEY'])
const misreadMessage =
  'The line can’t be read: indent it like those beside it, and quote a text that has a colon and a space.'

/**
 * Reads a scenario file. `file` is its name in messages. Otherwise all of its mistakes with their lines and columns: YAML
 * that can't be read, wrong fields, expressions that can't be parsed, variables that nothing sets before they are used.
 */
export function parseScenario(
  text: string,
  file: string,
  fragments: Fragments = new Map(),
): Result<Scenario, Mistake[]> {
  if (text.length > longestFile) {
    return fail([{ line: 1, column: 1, message: `The file must be at most ${longestFile} characters long.` }])
  }
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, stringKeys: true })
  const at = (offset: number, message: string): Mistake => {
    const { line, col } = counter.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col), message }
  }
  if (document.errors.length > 0) {
    const unquoted = unquotedExpression(text)
    if (unquoted) return fail([unquoted])
    if (document.errors.some(({ code }) => code === 'MULTIPLE_DOCS')) {
      return fail([at(document.errors[0]?.pos[0] ?? 0, 'A file has one scenario: --- may not stand between two.')])
    }
    // One mistake of indentation is met several times.
    const misread = document.errors.find(({ code }) => misreadAsMap.has(code))
    if (misread) return fail([at(misread.pos[0], misreadMessage)])
    return fail(document.errors.map(({ pos, message }) => at(pos[0], `${message.replace(/\.$/, '')}.`)))
  }
  const value = toPlain(document)
  if (!value.ok) return fail([at(0, value.error)])
  const parsed = ScenarioFile.safeParse(value.value)
  const problems = parsed.success
    ? checkReferences(parsed.data, fragments)
    : parsed.error.issues.flatMap((issue) => describeIssue(issue, value.value))
  if (!parsed.success || problems.length > 0) {
    return fail(problems.map(({ path, message, key }) => at(findOffset(document, path, key), message)))
  }
  const { steps, finally: last = [] } = parsed.data
  const paths = [...stepPaths(steps, ['steps']), ...stepPaths(last, ['finally'])]
  const lines = new Map(paths.map((path) => [path.join('.'), at(findOffset(document, path), '').line]))
  return ok({ ...parsed.data, file, lines, fragments })
}

/** An expression in { } or [ ] of YAML that isn’t quoted, which the parser meets as a brace too many. */
function unquotedExpression(text: string): Mistake | null {
  for (const [index, line] of text.split('\n').entries()) {
    const column = unquotedColumn(line)
    if (column === null) continue
    const message = "An expression within { } or [ ] has to be quoted, such as '${cardId}'."
    return { line: index + 1, column, message }
  }
  return null
}

/** The column of an unquoted expression, from 1; null where the line has none, or a text that does not end in it. */
function unquotedColumn(line: string): number | null {
  let isWithin = false
  let before = ''
  for (const { 0: part, index } of line.matchAll(/'[^']*'|"[^"]*"|\$\{|\S/g)) {
    const isQuote = /^['"]/.test(part)
    if (isWithin ? isQuote && part.length === 1 : isQuote || part === '#') return null
    if (isWithin && part === '${' && ':,{['.includes(before)) return index + 1
    isWithin ||= part === '{' || part === '['
    before = part
  }
  return null
}

/** The JSON value of a document; aliases may not multiply it beyond reason. */
function toPlain(document: Document.Parsed): Result<unknown, string> {
  try {
    return ok(document.toJS({ maxAliasCount: 50 }) as unknown)
  } catch (error) {
    return fail(`${(error as Error).message}.`)
  }
}

/** The position of a value in the text, or with `isKey` of its key; where it is missing, of the nearest one above. */
function findOffset(document: Document.Parsed, path: Path, isKey = false): number {
  let node: Node | null = document.contents
  let offset = node?.range?.[0] ?? 0
  for (const [depth, part] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document) ?? null
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isNode(key) && key.toJSON() === part) as
        | Pair<Node, Node | null>
        | undefined
      if (!pair) return offset
      const isLast = depth === path.length - 1
      node = pair.value
      offset = (isLast && isKey ? null : node?.range?.[0]) ?? pair.key.range?.[0] ?? offset
    } else if (isSeq(node)) {
      const item: unknown = node.items[Number(part)]
      if (!isNode(item)) return offset
      node = item
      offset = item.range?.[0] ?? offset
    } else return offset
  }
  return offset
}

/** The paths of steps, and of those that they repeat; `list` is the path of their list. */
function stepPaths(steps: readonly Step[], list: Path): Path[] {
  return steps.flatMap((step, index) => {
    const path = [...list, index]
    return 'repeat' in step ? [path, ...stepPaths(step.steps, [...path, 'steps'])] : [path]
  })
}

/** A mistake as one line: `file.yaml:3:9 message`. */
export function mistakeText(file: string, { line, column, message }: Mistake): string {
  return `${file}:${line}:${column} ${message}`
}
