import { amountText, figureText } from '#components/ui/amount-text.ts'
import { Callout } from '#components/ui/callout.tsx'
import type { BalanceExplanation, Check } from '#lib/console/balance-explanation.ts'
import { compareAmounts } from '#lib/shared/exact-sum.ts'

/** Whatever keeps the figures from adding up, said rather than hidden. */
export function BalanceNotes({ explained }: { explained: BalanceExplanation }) {
  const { isSteady, unknown, unreadable, uncounted, account } = explained
  const { currency } = account
  const offs = [
    off('outstanding amount', 'what the balance comes to', explained.outstanding, currency),
    explained.isWhole ? off('disputed amount', 'the entries in dispute', explained.disputed, currency) : null,
  ].filter((text) => text !== null)
  const warnings = [
    ...offs,
    ...unknown.map(
      ({ status, entries, amount }) =>
        `${plural(entries)} of the status “${status || 'not provided'}” (${amountText(amount, currency)}): whether they count is not known, so they are in no sum.`,
    ),
    ...(unreadable > 0
      ? [`${plural(unreadable)} with an amount, direction or currency that the console cannot read: in no sum.`]
      : []),
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
          Count for nothing:{' '}
          {uncounted
            .map(({ status, entries, amount }) => `${plural(entries)} ${status} (${amountText(amount, currency)})`)
            .join(', ')}
          .
        </p>
      )}
    </>
  )
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
