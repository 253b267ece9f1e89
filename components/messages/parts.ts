/** Label and meaning of a code. */
export type CodeText = { label: string; meaning: string }

/** The texts of a table of codes, without its icons and tones. */
export function toTexts<Code extends string>(table: Record<Code, CodeText>): Record<Code, CodeText> {
  const entries = Object.entries<CodeText>(table).map(([code, { label, meaning }]) => [code, { label, meaning }])
  return Object.fromEntries(entries) as Record<Code, CodeText>
}
