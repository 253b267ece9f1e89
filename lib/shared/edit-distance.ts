/** Longer words are not compared: nobody sees how many letters of them are wrong. */
const longestCompared = 60

/** How many letters are missing, added, exchanged or swapped with a neighbour; infinite where the lengths differ by more than `most`. */
export function editDistance(one: string, other: string, most = 2): number {
  if (Math.abs(one.length - other.length) > most || one.length > longestCompared) return Infinity
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row]
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = one[row - 1] === other[at - 1]
      const isSwapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]
      next[at] = Math.min(
        (last[at] ?? 0) + 1,
        (next[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[at - 2] ?? 0) + 1 : Infinity,
      )
    }
    ;[before, last] = [last, next]
  }
  return last[other.length] ?? Infinity
}
