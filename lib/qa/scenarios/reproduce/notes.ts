/** Parts that can't be built: each sentence once, with the number of its cases. */
export type Notes = { add: (sentence: string) => void; list: () => string[] }

export function collectNotes(): Notes {
  const counts = new Map<string, number>()
  return {
    add: (sentence) => counts.set(sentence, (counts.get(sentence) ?? 0) + 1),
    list: () => [...counts].map(([sentence, count]) => (count === 1 ? sentence : `${sentence} (${count} times)`)),
  }
}
