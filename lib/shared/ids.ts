/** An identifier shortened for the eye: its first and last four characters. Copying always takes the whole. */
export function shortId(id: string): string {
  return id.length <= 11 ? id : `${id.slice(0, 4)}…${id.slice(-4)}`
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

/** Whether two identifiers of the service are the same: it may spell one in another case elsewhere. */
export function sameId(one: string | null | undefined, other: string | null | undefined): boolean {
  return typeof one === 'string' && typeof other === 'string' && one.toLowerCase() === other.toLowerCase()
}
