/** An identifier shortened for the eye: its first and last four characters. Copying always takes the whole. */
export function shortId(id: string): string {
  return id.length <= 11 ? id : `${id.slice(0, 4)}…${id.slice(-4)}`
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

/** What tells identifiers apart: a UUID in any case is one, of any other form letters in another case are another one. */
export function idKey(id: string): string {
  return isUuid(id) ? id.toLowerCase() : id
}

/** The identifiers without repetitions, each as it came first. */
export function uniqueIds(ids: readonly string[]): string[] {
  const first = new Map<string, string>()
  for (const id of ids) if (!first.has(idKey(id))) first.set(idKey(id), id)
  return [...first.values()]
}

/**
 * Whether two identifiers of the service are the same: a person pastes one in upper case, an event may have it in another case than a
 * list. They are compared here and not rewritten where they come in: a service may compare bytes, so it gets back what it sent.
 */
export function sameId(one: string | null | undefined, other: string | null | undefined): boolean {
  return typeof one === 'string' && typeof other === 'string' && one.toLowerCase() === other.toLowerCase()
}

/** The record with an identifier: the one that has it as it is, before one that has it in another case. */
export function findById<Item extends { id: string }>(records: readonly Item[], id: string): Item | undefined {
  return records.find((one) => one.id === id) ?? records.find((one) => sameId(one.id, id))
}

/** Whether a text can be an id of the service: opaque, 1 to 200 characters, no control characters. */
export function isServiceId(text: string): boolean {
  return text.length > 0 && text.length <= 200 && !/[\p{Cc}\p{Cs}]/u.test(text)
}
