import { amountText, figureText } from '#components/ui/amount-text.ts'
import { Callout } from '#components/ui/callout.tsx'
import type { BalanceExplanation, Check } from '#lib/console/card-accounts/shapes.ts'
import { compareAmounts } from '#lib/shared/exact-sum.ts'

/** Whatever keeps the figures from adding up, said rather than hidden. */
export function BalanceNotes({ explained }: { explained: BalanceExplanation }) {
  const { isSteady, unknown, unreadable, excluded, uncounted, account } = explained
  const withoutId = excluded - unreadable - unknown.reduce((total, { entries }) => total + entries, 0)
  const { currency } = account
  const offs = [
    off('outstanding amount', 'what the balance comes to', explained.outstanding, currency),
    explained.isWhole ? off('disputed amount', 'the entries in dispute', explained.disputed, currency) : null,
  ].filter((text) => text !== null)
  const warnings = [
    ...offs,
    ...unknown.map(
      ({ status, entries, amount, excluded: left }) =>
        `${plural(entries)} of the status “${status || 'not provided'}” (${amountText(amount, currency)}${leftText(left)}): whether they count is not known, so they are in no sum.`,
    ),
    ...(unreadable > 0
      ? [`${plural(unreadable)} whose amount, direction or currency is missing or unknown: in no sum.`]
      : []),
    ...(withoutId > 0 ? [`${plural(withoutId)} without an id: in no sum.`] : []),
    ...(isSteady ? [] : ['The account changed each time while it was read: the parts may be a moment apart.']),
  ]
  return (
    <>
      {warnings.length > 0 && (
        <Callout tone="warn" title="Not everything adds up.">
          <ul className="mt-1 list-disc pl-4">
            {warnings.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Callout>
      )}
      {uncounted.length > 0 && (
        <p className="text-xs text-faint">
          Not counted:{' '}
          {uncounted
            .map(
              ({ status, entries, amount, excluded: left }) =>
                `${plural(entries)} ${status} (${amountText(amount, currency)}${leftText(left)})`,
            )
            .join(', ')}
          .
        </p>
      )}
    </>
  )
}

/** What a sum leaves out: entries without an amount in the account’s currency. */
function leftText(excluded: number): string {
  return excluded > 0 ? `, without ${plural(excluded)} of unknown amount` : ''
}

function plural(entries: number): string {
  return entries === 1 ? '1 entry' : `${entries} entries`
}

function off(
  name: string,
  from: string,
  { stated, expected, difference }: Check,
  currency: string | null,
): string | null {
  if (stated === null || expected === null || difference === null || compareAmounts(difference, 0) === 0) return null
  const direction = compareAmounts(difference, 0) < 0 ? 'less' : 'more'
  const text = (amount: string) => figureText(amount, currency)
  return `The service states ${amountText(stated, currency)} as the ${name}, which is ${text(difference.replace('-', ''))} ${direction} than ${from}: ${text(expected)}.`
}
