import { editDistance } from './edit-distance.ts'

/** The known name that a misspelt one is nearest to, at most `most` edits away (a third of its length); null where none is. */
export function closestName(
  name: string,
  known: Iterable<string>,
  most: number = Math.max(1, Math.floor(name.length / 3)),
): string | null {
  let closest: { name: string; distance: number } | null = null
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), most)
    if (distance <= most && distance < (closest?.distance ?? Infinity)) closest = { name: candidate, distance }
  }
  return closest?.name ?? null
}

/** ` Did you mean lock?`, to be put behind a message; nothing where no known name is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const closest = closestName(name, known)
  return closest === null ? '' : ` Did you mean ${closest}?`
}
