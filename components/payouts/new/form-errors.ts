import { beneficiaryPaths, type PayoutEntry } from '#lib/contract/payout-entry.ts'
import { detailPaths } from './draft.ts'
import { problemSentence } from './labels.ts'

type Problems = Readonly<Record<string, string>>

/**
 * The sentences at the fields, in the order of the form. What is `wrong` by the form's own rules shows once its field is `flagged`,
 * which a press of a button does; what the service `refused` shows until the field is changed. Of two, the own rule's shows.
 */
export function shownErrors(
  entry: PayoutEntry,
  { wrong, flagged, refused }: { wrong: Problems; flagged: ReadonlySet<string>; refused: Problems },
): Map<string, string> {
  const shown = new Map(Object.entries(refused))
  for (const [path, problem] of Object.entries(wrong)) if (flagged.has(path)) shown.set(path, problem)
  const order = [
    'destinationCountry',
    'destinationCurrency',
    ...beneficiaryPaths(entry),
    'accountId',
    `${entry.side}Amount`,
    ...detailPaths,
  ]
  const paths = new Set([...order.filter((path) => shown.has(path)), ...shown.keys()])
  return new Map([...paths].map((path) => [path, problemSentence(path, shown.get(path) ?? '', entry.method)]))
}

/** Those of `paths` that the service's validation endpoint checks: the beneficiary, and the amount where one is entered. */
export function validatedPaths({ side, amount }: PayoutEntry, paths: readonly string[]): string[] {
  const later = new Set(['accountId', 'sourceCurrency', ...detailPaths])
  if (amount.trim() === '') later.add(`${side}Amount`)
  return paths.filter((path) => !later.has(path))
}
