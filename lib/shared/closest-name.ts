/** How many characters have to be changed, added, left out or swapped with the next one to make one text of the other. */
function editDistance(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[j - 2] ?? 0) + 1 : Infinity,
      )
    }
    beforeLast = last
    last = row
  }
  return last[other.length] ?? 0
}

/** The known name that a misspelt one is nearest to, at most `most` edits away (a third of its length); null where none is. */
export function closestName(
  name: string,
  known: Iterable<string>,
  most: number = Math.max(1, Math.floor(name.length / 3)),
): string | null {
  let closest: { name: string; distance: number } | null = null
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > most) continue
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance <= most && distance < (closest?.distance ?? Infinity)) closest = { name: candidate, distance }
  }
  return closest?.name ?? null
}

/** ` Did you mean lock?`, to be put behind a message; nothing where no known name is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const closest = closestName(name, known)
  return closest === null ? '' : ` Did you mean ${closest}?`
}
