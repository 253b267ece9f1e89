import { countryInSentence } from '#lib/contract/country-names.ts'
import { listed } from '#lib/shared/texts.ts'
import type { Choices } from './draft.ts'
import { fieldNoun } from './labels.ts'

const payoutsBy = { BANK_TRANSFER: 'bank transfers', NETWORK_CARD: 'card payouts' } as const

/** Other fields that changed with a choice, in sentences: selected again, to be selected, removed. */
export function choiceNotes(
  before: Choices,
  after: Choices,
  requested: Partial<Choices>,
  cleared: readonly string[],
): string[] {
  const notes: string[] = []
  if (requested.country === undefined && before.country !== '' && after.country !== before.country) {
    notes.push(
      after.country === ''
        ? `Choose a country again: ${payoutsBy[after.method]} do not reach ${countryInSentence(before.country)}.`
        : `The country is now ${countryInSentence(after.country)}, the only one that ${payoutsBy[after.method]} reach.`,
    )
  }
  if (requested.currency === undefined && before.currency !== '' && after.currency !== before.currency) {
    notes.push(
      after.currency === ''
        ? `Choose a currency again: it was ${before.currency}.`
        : `The currency is now ${after.currency}, the only one for ${countryInSentence(after.country)}.`,
    )
  }
  if (cleared.length > 0) {
    const nouns = cleared.map((path) => fieldNoun(path, before.method))
    notes.push(`Cleared, since ${cleared.length === 1 ? 'it does' : 'they do'} not fit any more: ${listed(nouns)}.`)
  }
  return notes
}
