'use client'

import { AsOf } from '#components/environment/as-of.tsx'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { disputeStatusEntry, intentLabel } from '#components/transactions/transaction-labels.ts'
import { Amount, amountText, figureText } from '#components/ui/amount.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { formatCount } from '#components/ui/count.ts'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import type { BalanceExplanation, Check, NamedEntry } from '#lib/console/card-accounts/types.ts'
import { isDifferent, isLess } from '#lib/contract/exact-sum.ts'
import { shortId } from '#lib/shared/ids.ts'
import { present } from '#lib/shared/provided.ts'
import { routes } from '#lib/shared/routes.ts'
import { balanceSentence } from './balance-sentence.ts'
import { BalanceWaterfall } from './balance-waterfall.tsx'

const mostNamed = 20

/** The entries that a sum is made of, each leading to its page. */
export function BalanceNamedEntries({
  cardAccountId,
  title,
  none,
  meaning,
  entries,
}: {
  cardAccountId: string
  title: string
  none: string
  meaning: string
  entries: readonly NamedEntry[]
}) {
  const environment = useEnvironment()
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="font-medium">{title}</h3>
      <p className="text-xs text-faint">{entries.length === 0 ? none : meaning}</p>
      {entries.length > 0 && (
        <ul className="mt-1 divide-y">
          {entries.map((entry) => (
            <li key={entry.id} className="flex flex-wrap items-baseline justify-between gap-x-3 py-1.5">
              <span className="min-w-0">
                <TextLink href={routes.transaction(environment, cardAccountId, entry.id)} className="wrap-anywhere">
                  {entry.description || (entry.intent ? intentLabel(entry.intent) : `Entry ${shortId(entry.id)}`)}
                </TextLink>
                <span className="block text-2xs text-faint">
                  <Time instant={entry.createdAt} />
                  {entry.disputeStatus && ` · ${disputeStatusEntry(entry.disputeStatus).label}`}
                </span>
              </span>
              <Amount amount={entry.amount} currency={entry.currency} entryType={entry.entryType} className="ml-auto" />
            </li>
          ))}
        </ul>
      )}
      {entries.length === mostNamed && <p className="text-xs text-faint">The newest {mostNamed} of them.</p>}
    </section>
  )
}

/** Explains an account's figures: a sentence, then every part with its entries. */
export function BalanceBreakdown({ cardAccountId, blocks }: { cardAccountId: string; blocks: readonly string[] }) {
  const explanation = useRead('explainBalance', cardAccountId)
  return (
    <WhenRead query={explanation} what="The explanation of the balance" blocks={blocks}>
      {(data) => (
        <section aria-label="Explanation of the balance" className="grid gap-3">
          <p className="max-w-3xl text-md text-pretty">{balanceSentence(data)}</p>
          <BalanceNotes explained={data} />
          <div className="grid min-w-0 items-start gap-x-8 gap-y-4 @4xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <BalanceWaterfall explained={data} />
            <div className="grid min-w-0 gap-4">
              <BalanceNamedEntries
                title="Pending"
                none="Nothing is pending."
                meaning="In the balance already; each may still change until it is posted."
                entries={data.pendingEntries}
                cardAccountId={cardAccountId}
              />
              <BalanceNamedEntries
                title="Disputed"
                none="No amount is in dispute."
                meaning="Requested or pending"
                entries={data.disputedEntries}
                cardAccountId={cardAccountId}
              />
            </div>
          </div>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-faint">
            <span>
              Read from {entryCount(data.entries)}, <AsOf freshness={data.freshness} />
            </span>
            <Button
              size="small"
              variant="quiet"
              isPending={explanation.isFetching}
              onClick={() => void explanation.refetch()}
            >
              Read again
            </Button>
          </div>
        </section>
      )}
    </WhenRead>
  )
}

/** Lists every reason why the figures do not add up. */
export function BalanceNotes({ explained }: { explained: BalanceExplanation }) {
  const { isSteady, unknown, unreadable, excluded, uncounted, account } = explained
  const withoutId = excluded - unreadable - unknown.reduce((total, { entries }) => total + entries, 0)
  const { currency } = account
  const offs = present([
    off('outstanding amount', 'what the balance comes to', explained.outstanding, currency),
    explained.isWhole ? off('disputed amount', 'the entries in dispute', explained.disputed, currency) : null,
  ])
  const warnings = [
    ...offs,
    ...unknown.map(
      ({ status, entries, amount, excluded: left }) =>
        `${entryCount(entries)} of the status “${status || 'not provided'}” (${amountText(amount, currency)}${leftText(left)}): whether they count is not known, so they are in no sum.`,
    ),
    ...(unreadable > 0
      ? [`${entryCount(unreadable)} whose amount, direction or currency is missing or unknown: in no sum.`]
      : []),
    ...(withoutId > 0 ? [`${entryCount(withoutId)} without an id: in no sum.`] : []),
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
                `${entryCount(entries)} ${status} (${amountText(amount, currency)}${leftText(left)})`,
            )
            .join(', ')}
          .
        </p>
      )}
    </>
  )
}

/** Entries that a sum leaves out: those without an amount in the account’s currency. */
function leftText(excluded: number): string {
  return excluded > 0 ? `, without ${entryCount(excluded)} of unknown amount` : ''
}

function entryCount(entries: number): string {
  return formatCount(entries, 'entry', 'entries')
}

function off(
  name: string,
  from: string,
  { stated, expected, difference }: Check,
  currency: string | null,
): string | null {
  if (!difference || !isDifferent(difference, 0)) return null
  const direction = isLess(difference, 0) ? 'less' : 'more'
  return `The ${name} is ${amountText(stated, currency)}, which is ${figureText(difference.replace('-', ''), currency)} ${direction} than ${from}: ${figureText(expected, currency)}.`
}
