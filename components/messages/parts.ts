import { type Language, languageTags } from '#lib/shared/locale.ts'

/** Label and meaning of a code. */
export type CodeText = { label: string; meaning: string }

/** The texts of a table of codes, without its icons and tones. */
export function toTexts<Code extends string>(table: Record<Code, CodeText>): Record<Code, CodeText> {
  const entries = Object.entries<CodeText>(table).map(([code, { label, meaning }]) => [code, { label, meaning }])
  return Object.fromEntries(entries) as Record<Code, CodeText>
}

/** The entry of a code of the service, which may be any text, such as `constructor`; undefined where there is none. */
export function findEntry<Entry>(table: Readonly<Partial<Record<string, Entry>>>, code: string): Entry | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined
}

const rules = new Map<Language, Intl.PluralRules>()

/** The form of a text for a count. */
export function plural(
  language: Language,
  count: number,
  forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string },
): string {
  const rule = rules.get(language) ?? new Intl.PluralRules(languageTags[language])
  rules.set(language, rule)
  return forms[rule.select(count)] ?? forms.other
}
