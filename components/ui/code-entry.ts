import type { LucideIcon } from 'lucide-react'
import { isMissing, notProvided } from './not-provided.tsx'
import type { Tone } from './tone.ts'

export type CodeEntry = { label: string; tone: Tone; meaning: string; icon?: LucideIcon }

/** What a table has for a code of the service, which may be any text, such as `constructor`; undefined where it has nothing. */
export function findEntry<Entry>(table: Readonly<Partial<Record<string, Entry>>>, code: string): Entry | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined
}

/** The label of a code; an unknown code is shown as sent, a missing one as "Not provided". */
export function codeLabel(labels: Readonly<Record<string, string>>, code: string | null | undefined): string {
  if (isMissing(code)) return notProvided
  return findEntry(labels, code) ?? code
}

/** The entry of a code; an unknown code is shown as sent, a missing one as "Not provided", both in the neutral tone. */
export function codeEntry<Entry extends CodeEntry>(
  table: Readonly<Record<string, Entry>>,
  code: string | null | undefined,
): Entry | CodeEntry {
  if (isMissing(code)) return { label: notProvided, tone: 'neutral', meaning: 'The card service didn’t provide it.' }
  return findEntry(table, code) ?? { label: code, tone: 'neutral', meaning: 'Shown as the card service sent it.' }
}

/** The label of a code within a sentence: known codes in lower case, unknown ones as sent. */
export function codeInSentence(table: Readonly<Record<string, CodeEntry>>, code: string | null | undefined): string {
  const { label } = codeEntry(table, code)
  return isMissing(code) || Object.hasOwn(table, code) ? label.toLowerCase() : label
}
