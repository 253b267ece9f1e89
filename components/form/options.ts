export type Option = { value: string; label: string }

/** Options of codes, each once, by their labels; without labels, as they are. */
export function toOptions<Code extends string>(
  codes: readonly Code[],
  toLabel: (code: Code) => string = (code) => code,
): Option[] {
  return [...new Set(codes)].map((value) => ({ value, label: toLabel(value) }))
}

/** The options of a table of labels, in its order. */
export function tableOptions(table: Readonly<Record<string, string | { label: string }>>): Option[] {
  return Object.entries(table).map(([value, entry]) => ({
    value,
    label: typeof entry === 'string' ? entry : entry.label,
  }))
}
