import { isAppError } from '#lib/shared/app-error.ts'

/** What a page's data function did: its result or what it threw, and how many requests it made. */
export type Read = { result: unknown; error: unknown; requests: number }

/**
 * What a changed response allows: a `Refusal`, and that these records, by their ids, are left out, or all of them.
 * `restore` turns an id that was replaced back into the usual one.
 */
export type Allowance = { mayThrow: boolean; lost: readonly string[] | 'all'; restore: (text: string) => string }

/** Keys of numbers that count something, which may become 0. */
const counts =
  /^(excluded|totalsExcluded|cardsExcluded|accounts|cards|payouts|fees|count|accountsWithCards|matching|first|last|values|pages|entries)$|Excluded$|Count$/
/** Whatever is in there is shown as it was sent. */
const asSent = /(^|\.)(xmetadata|otherFields)(\.|$)/
/** The entries of a form that is filled with what the record provides. */
const prefilled = 'fields'
const leaks = /\bundefined\b|\bNaN\b|\bInfinity\b|Invalid Date|\[object Object\]|^null$/
const zero = /^-?0(\.0+)?$/

/** Where a list is empty, its next pages are requested: so many at most. */
const emptyPages = 10

/** What is wrong with a data function's result for a changed response, beside its result for the unchanged one. */
export function readProblems(usual: Read, read: Read, { mayThrow, lost, restore }: Allowance): string[] {
  const most = usual.requests + (lost === 'all' ? emptyPages : 1)
  const problems = read.requests > most ? [`${read.requests} requests, usually ${usual.requests}`] : []
  if (read.error !== null) return [...problems, ...errorProblems(read.error, mayThrow)]
  const before = flatten(usual.result, (text) => text)
  const after = flatten(read.result, restore)
  for (const [path, value] of after.leaves) problems.push(...leafProblems(path, value, before, lost === 'all'))
  for (const id of before.ids) {
    const mayBeLost = lost === 'all' || lost.some((one) => id.endsWith(`<${one.toLowerCase()}>`))
    if (!after.ids.has(id) && !mayBeLost) problems.push(`${id} is missing`)
  }
  for (const [path, keys] of before.keys) {
    const left = after.keys.get(path)
    const missing = left ? keys.filter((key) => !left.includes(key)) : []
    if (missing.length > 0 && !asSent.test(path) && path !== prefilled)
      problems.push(`${path} lacks ${missing.join(', ')}`)
  }
  return problems
}

function errorProblems(error: unknown, mayFail: boolean): string[] {
  if (!isAppError(error)) return [`throws ${error instanceof Error ? error.stack : String(error)}`]
  if (!mayFail) return [`refuses: ${error.message}`]
  const isReadable = error.message.length > 10 && !leaks.test(error.message)
  return isReadable ? [] : [`refuses with "${error.message}"`]
}

function leafProblems(path: string, value: unknown, before: Flat, mayBeEmpty: boolean): string[] {
  const usual = before.leaves.get(path)
  if (value === undefined) return before.leaves.has(path) && usual === undefined ? [] : [`${path} is undefined`]
  if (asSent.test(path)) return []
  if (typeof value === 'number' && !Number.isFinite(value)) return [`${path} is ${value}`]
  if (typeof value === 'string' && leaks.test(value)) return [`${path} is "${value}"`]
  if (typeof value === 'string' && value.startsWith('1970-')) return [`${path} is ${value}`]
  const isZero = value === 0 || (typeof value === 'string' && zero.test(value))
  const wasZero = usual === 0 || (typeof usual === 'string' && zero.test(usual))
  const [, parent = '', key = path] = /^(.*)\.([^.]+)$/.exec(path) ?? []
  const isNewRecord = parent !== '' && !before.keys.has(parent)
  if (isZero && !wasZero && !isNewRecord && !mayBeEmpty && !counts.test(key))
    return [`${path} is an invented 0, usually ${JSON.stringify(usual)}`]
  if (value !== null && usual !== null && usual !== undefined && typeof value !== typeof usual) {
    return [`${path} is ${JSON.stringify(value)}, usually ${JSON.stringify(usual)}`]
  }
  return []
}

type Flat = { leaves: Map<string, unknown>; ids: Set<string>; keys: Map<string, string[]> }

/** A result as its leaves by path, where a record of a list is called by its id and not by its position. */
function flatten(root: unknown, restore: (text: string) => string): Flat {
  const flat: Flat = { leaves: new Map(), ids: new Set(), keys: new Map() }
  const add = (value: unknown, path: string): void => {
    if (value instanceof Date) flat.leaves.set(path, String(value))
    else if (Array.isArray(value)) value.forEach((item, index) => addItem(item, index, path))
    else if (typeof value === 'object' && value !== null) {
      flat.keys.set(path, Object.keys(value))
      for (const [key, item] of Object.entries(value)) add(item, path === '' ? key : `${path}.${key}`)
    } else flat.leaves.set(path, value)
  }
  const addItem = (item: unknown, index: number, path: string): void => {
    const id = idOf(item)
    const name = `${path}<${id === null ? (nameOf(item) ?? index) : restore(id.toLowerCase()).toLowerCase()}>`
    if (id !== null) flat.ids.add(name)
    add(item, name)
  }
  add(root, '')
  return flat
}

type Fields = Record<string, unknown>

function idOf(item: unknown): string | null {
  if (typeof item !== 'object' || item === null) return null
  const { id, account, fee, payout } = item as Fields
  const found = id ?? (account as Fields | null)?.id ?? (fee as Fields | null)?.id ?? (payout as Fields | null)?.id
  return typeof found === 'string' ? found : null
}

function nameOf(item: unknown): string | null {
  if (typeof item !== 'object' || item === null) return null
  const { currency, group, status, key, code } = item as Fields
  const names = [group, currency, status, key, code].filter((one) => typeof one === 'string')
  return names.length > 0 ? names.join(' ') : null
}
