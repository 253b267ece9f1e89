import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { readJsonText } from '#lib/contract/json-text.ts'
import { referenceProblems } from '#lib/contract/xmetadata-rules.ts'
import { bodyWithoutSecrets } from '#lib/qa/lab/explorer-exchange.ts'
import {
  holdsCardNumber,
  maskCardNumbers,
  maskCardNumbersInJson,
  withoutCardNumbers,
} from '#lib/shared/card-numbers.ts'

/**
 * One process runs everything, so a text whose time grows with the square of its length stops everybody. Each schema, pattern and function
 * reads texts of 1 kB, 2 kB and so on, up to 32 kB, and `npm run suites:full` up to 1 MB, which takes minutes of an idle machine.
 */
const root = path.join(import.meta.dirname, '..', '..')
const isShort = inject('extent') <= 1
const longest = isShort ? 32 * 1024 : 1024 * 1024

/** What a text repeats, and what ends it, so that a match may fail at the end. The short form has the first ones. */
const units = [
  '4-',
  'a',
  '"',
  '\\"',
  ',',
  '[',
  ' ',
  '/',
  '4242 ',
  '4',
  'a.',
  'a@',
  '-',
  '\n',
  '{"a":',
  '<',
  '&a=',
  ':',
  '+4',
  '${',
  "'",
  '%2',
  'A1_',
  '•',
]
const texts = units.slice(0, isShort ? 6 : units.length).map((unit) => ({
  name: JSON.stringify(`${unit}…!`),
  make: (length: number) => `${unit.repeat(length / unit.length)}!`,
}))

/** Shorter times are noise: a thread's clock may count in steps of 4 ms. What grows with the square takes 8 s for 1 MB where 32 kB take this long. */
const measurableMs = 8

/**
 * The texts that take more than 2.5 times as long each time that they are doubled, over four doublings and in three measurements: caches and
 * the collection of garbage may double the time of linear work.
 */
function findSlow(read: (text: string) => unknown): string[] {
  return texts.flatMap(({ name, make }) => {
    let before = 0
    for (let length = 1024; length <= longest; length *= 2) {
      const last = before
      const time = timeOf(read, make(length), 1)
      before = time
      // Were it to grow with the square, 1 MB would take half a second.
      if (length === 64 * 1024 && time < 2) break
      if (time < measurableMs || time < last * 2.2) continue
      const repeats = Math.ceil((5 * measurableMs) / time)
      const grows = () => {
        const took = timeOf(read, make(length), repeats)
        return took > measurableMs && took > (2.5 / 2) ** 4 * timeOf(read, make(length / 16), 16 * repeats)
      }
      if (grows() && grows() && grows()) return [`${name} of ${length / 1024} kB`]
    }
    return []
  })
}

/** Milliseconds of this thread for all the repeats, so that a busy machine changes nothing. */
function timeOf(read: (text: string) => unknown, text: string, repeats: number): number {
  const before = process.threadCpuUsage()
  for (let at = 0; at < repeats; at += 1) read(text)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

test.for([
  ['maskCardNumbers', maskCardNumbers],
  ['holdsCardNumber', holdsCardNumber],
  ['withoutCardNumbers', (text: string) => withoutCardNumbers(text, '4242424242424242')],
  ['maskCardNumbersInJson', (text: string) => maskCardNumbersInJson(JSON.stringify({ [text]: [text] }))],
  ['bodyWithoutSecrets', (text: string) => bodyWithoutSecrets('listFees', text)],
  ['readJsonText', readJsonText],
  [
    'referenceProblems',
    (text: string) =>
      referenceProblems({
        xid: { mode: 'replace', text },
        xmetadata: { mode: 'replace', text: JSON.stringify({ text }) },
      }),
  ],
] as const)('%s takes time in proportion to the text', ([, read]) => {
  expect(findSlow(read)).toEqual([])
})

/** What zod knows of a schema; it has no type that is open to any kind. */
type Definition = {
  type: string
  checks?: { _zod: { def: { check: string; abort?: boolean } } }[]
  shape?: Record<string, z.core.$ZodType>
  element?: z.core.$ZodType
  valueType?: z.core.$ZodType
}

function definitionOf(schema: z.core.$ZodType): Definition {
  return schema._zod.def as unknown as Definition
}

/** Whether the schema reads a text itself: what an optional field or a list does is what the schema within it does. */
function isOwnWork(schema: z.core.$ZodType): boolean {
  const { type, checks = [] } = definitionOf(schema)
  return type === 'pipe' || (['string', 'object', 'record'].includes(type) && checks.length > 0)
}

/** A value with the text wherever the schema takes one. */
function valueFor(schema: z.core.$ZodType, text: string): unknown {
  const { shape, element, valueType } = definitionOf(schema)
  if (shape) return Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, valueFor(field, text)]))
  if (element) return [valueFor(element, text)]
  return valueType ? { [text]: text } : text
}

/** Every schema of the modules that read what people and strangers send, those within others included. */
async function collectSchemas(): Promise<z.core.$ZodType[]> {
  const schemas = new Set<z.core.$ZodType>()
  const collect = (postProcessor?: (schema: z.core.$ZodType) => void) => z.config({ postProcessor } as object)
  vi.resetModules()
  collect((schema) => schemas.add(schema))
  onTestFinished(() => {
    collect()
    vi.resetModules()
  })
  const exclude = ['lib/{launch,db,settings}/**', '**/testing/**', '**/*.test.ts']
  for (const file of globSync('lib/**/*.ts', { cwd: root, exclude })) {
    const address = path.join(root, file)
    if (readFileSync(address, 'utf8').includes("from 'zod'")) await import(address)
  }
  collect()
  return [...schemas].filter(isOwnWork)
}

test('every schema takes time in proportion to the text, and stops at its bound', async () => {
  const schemas = await collectSchemas()
  expect(schemas.length).toBeGreaterThan(400)
  const slow = schemas.flatMap((schema) => {
    const found = findSlow((text) => isAccepted(schema, text))
    return found.length > 0 ? [{ schema: describe(schema), found }] : []
  })
  expect(slow).toEqual([])

  const going = schemas.filter((schema) => {
    const checks = (definitionOf(schema).checks ?? []).map(({ _zod: { def } }) => def)
    const bound = checks.findIndex(({ check }) => check === 'max_length')
    const first = checks.findIndex(({ check }) => check === 'string_format' || check === 'custom')
    return bound >= 0 && first >= 0 && (bound > first || checks[bound]?.abort !== true)
  })
  expect(going.map(describe)).toEqual([])
})

function isAccepted(schema: z.core.$ZodType, text: string): boolean {
  try {
    return z.safeParse(schema, valueFor(schema, text)).success
  } catch {
    // A rule that compares with the console's settings, which this test has none of.
    return false
  }
}

function describe(schema: z.core.$ZodType): unknown {
  return z.toJSONSchema(schema, { unrepresentable: 'any' })
}

/** Regular expressions of a source text, as they are written in it. */
function patternsIn(source: string): RegExp[] {
  const literals =
    /(?<=[(=,:[!&|?{};\n]\s*|return )\/((?:[^/\\\n[*]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*)\/([dgimsuvy]*)(?=[\s),.;:\]}])/g
  return [...source.matchAll(literals)].flatMap(([, pattern = '', flags]) => {
    try {
      return [new RegExp(pattern, flags)]
    } catch {
      return []
    }
  })
}

/** Keeps none of the matches: memory takes more than its share of time. */
function countMatches(text: string, pattern: RegExp): number {
  let count = 0
  for (const _ of text.matchAll(pattern)) count += 1
  return count
}

test('every pattern takes time in proportion to the text', () => {
  const patterns = new Map<string, string>()
  for (const file of globSync('{app,components,lib}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/*.test.*', '**/testing/**'],
  }))
    for (const pattern of patternsIn(readFileSync(path.join(root, file), 'utf8'))) patterns.set(String(pattern), file)
  expect(patterns.size).toBeGreaterThan(200)
  const slow = [...patterns].flatMap(([literal, file]) => {
    const end = literal.lastIndexOf('/')
    const pattern = new RegExp(literal.slice(1, end), literal.slice(end + 1))
    const found = findSlow((text) => (pattern.global ? countMatches(text, pattern) : text.search(pattern)))
    return found.length > 0 ? [{ pattern: `${file}: ${literal}`, found }] : []
  })
  expect(slow).toEqual([])
})
