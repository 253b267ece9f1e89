type Step = string | number | '*'

/** A location in a JSON document: `holder[key]`. */
export type Location = { holder: Record<string, unknown> | unknown[]; key: string | number; value: unknown }

const name = String.raw`[^.[\]]+`
const item = String.raw`\[(?:\*|\d{1,6})\]`
const pattern = new RegExp(`^(?:${name}|${item})(?:\\.${name}|${item})*$`)

/** Dotted names with `[*]` for every item of an array and `[2]` for one of them: `cards[*].product.id`, `[0].success`. */
export function isJsonPath(text: string): boolean {
  return text.length <= 300 && pattern.test(text)
}

/** The locations that a path names in a document. The last name may be one that its object does not have yet. */
export function locationsAt(root: unknown, path: string): Location[] {
  const steps = [...path.matchAll(/\[(\*|\d+)\]|[^.[\]]+/g)].map(([text, index]): Step => {
    if (index === undefined) return text
    return index === '*' ? '*' : Number(index)
  })
  return follow(root, steps)
}

function follow(holder: unknown, [step, ...rest]: readonly Step[]): Location[] {
  if (step === undefined || typeof holder !== 'object' || holder === null) return []
  return matchingKeys(holder, step).flatMap((key) => {
    const value = Object.hasOwn(holder, key) ? (holder as Record<string | number, unknown>)[key] : undefined
    const location = { holder, key, value } as Location
    return rest.length === 0 ? [location] : follow(location.value, rest)
  })
}

function matchingKeys(holder: object, step: Step): (string | number)[] {
  if (!Array.isArray(holder)) return typeof step === 'string' && step !== '*' ? [step] : []
  if (step === '*') return [...holder.keys()]
  return typeof step === 'number' && step < holder.length ? [step] : []
}

export function setAt({ holder, key }: Location, value: unknown): void {
  Object.defineProperty(holder, key, { value, configurable: true, enumerable: true, writable: true })
}

/** Takes a key out of its object or an item out of its array. Items of one array have to go from the last to the first. */
export function removeAt({ holder, key }: Location): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else delete holder[key]
}
