import { responseList } from '#lib/client/contract-names.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import { isFields } from '#lib/shared/json.ts'
import { isSameName } from './likeness.ts'

/** The list's key where a response has one list under another key, or is the list itself; null where that isn't clear. */
export function guessedList(name: EndpointName, body: unknown): string | null {
  if (Array.isArray(body)) return ''
  if (!isFields(body)) return null
  const wanted = responseList(name)
  if (!wanted) return null
  const keys = Object.keys(body).filter((key) => Array.isArray(body[key]))
  const [only] = keys
  if (keys.length === 1 && only !== undefined) return only
  return keys.find((key) => isSameName(key, wanted.key)) ?? null
}
