/** Whether two names differ in their case and separators at most. */
export function isSameName(one: string, other: string): boolean {
  return plainName(one) === plainName(other)
}

/** A name without its case and separators. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** From 0 to 1: the share of letter pairs that two names have in common, whatever their case and separators. */
export function likeness(one: string, other: string): number {
  const [a, b] = [plainName(one), plainName(other)]
  if (a === b) return 1
  if (a.includes(b) || b.includes(a)) return 0.8
  const pairs = (text: string) => Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2))
  const [first, second] = [pairs(a), pairs(b)]
  const rest = [...second]
  const common = first.filter((pair) => {
    const at = rest.indexOf(pair)
    if (at >= 0) rest.splice(at, 1)
    return at >= 0
  }).length
  return (2 * common) / Math.max(1, first.length + second.length)
}
