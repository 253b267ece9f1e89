/** The bound of a text, for `max`: zod goes no further, so that no pattern and no rule reads what is longer. */
export function atMost(length: number) {
  return [length, { error: `must be at most ${length} characters`, abort: true }] as const
}
