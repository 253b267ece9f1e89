import { z } from 'zod'
import { innerSchema } from '#lib/client/contract-names.ts'
import { type EndpointName, endpointRow } from '#lib/contract/endpoints.ts'
import { isFields } from '#lib/shared/json.ts'
import { isSameName } from './likeness.ts'

/** The list's key where a response has one list under another key, or is the list itself; null where that isn't clear. */
export function guessedList(name: EndpointName, body: unknown): string | null {
  if (Array.isArray(body)) return ''
  if (!isFields(body)) return null
  const wanted = listName(name)
  if (wanted === null) return null
  const keys = Object.keys(body).filter((key) => Array.isArray(body[key]))
  const [only] = keys
  if (keys.length === 1 && only !== undefined) return only
  return keys.find((key) => isSameName(key, wanted)) ?? null
}

/** The contract's key of a response's list; '' where the response is the list. */
export function listName(name: EndpointName): string | null {
  const response = innerSchema(endpointRow(name).response)
  if (response instanceof z.ZodArray) return ''
  if (!(response instanceof z.ZodObject)) return null
  return Object.entries(response.shape).find(([, field]) => field instanceof z.ZodArray)?.[0] ?? null
}
