import { fail, ok, type Result } from '#lib/shared/result.ts'

const maximumDepth = 64
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The JSON value of a body, or what is wrong with it. Refuses what PostgreSQL cannot keep and what no honest caller sends. */
export function parseJson(body: Uint8Array | null): Result<unknown, string> {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(body ?? new Uint8Array()))
  } catch {
    return fail('body: must be JSON in UTF-8')
  }
  const flaw = findFlaw(value)
  return flaw === null ? ok(value) : fail(flaw)
}

type Place = { value: unknown; name: string; depth: number }

/** Walks without recursion, so that no nesting exhausts the stack. */
function findFlaw(root: unknown): string | null {
  const places: Place[] = [{ value: root, name: '', depth: 1 }]
  for (let place = places.pop(); place; place = places.pop()) {
    const { value, depth } = place
    const name = place.name || 'body'
    if (depth > maximumDepth) return `${name}: must not be nested deeper than ${maximumDepth} levels`
    if (typeof value === 'string') {
      const flaw = flawOfText(value)
      if (flaw) return `${name}: ${flaw}`
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) return `${name}: must be a number that is not out of range`
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        if (key === '__proto__') return `${name}: must not have a field named __proto__`
        if (!Array.isArray(value) && flawOfText(key))
          return `${name}: must not have a field whose name ${flawOfText(key)}`
        places.push({ value: item, name: place.name ? `${place.name}.${key}` : key, depth: depth + 1 })
      }
    }
  }
  return null
}

/** PostgreSQL keeps neither NUL nor half a surrogate pair. */
export function flawOfText(text: string): string | null {
  if (text.includes('\0')) return 'must not contain the character NUL'
  return text.isWellFormed() ? null : 'must not contain half of a surrogate pair'
}
