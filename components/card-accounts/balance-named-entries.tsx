import Link from 'next/link'
import { disputeStatusEntry, intentLabel } from '#components/transactions/transaction-labels.ts'
import { Amount } from '#components/ui/amount.tsx'
import { quietLink } from '#components/ui/link-style.ts'
import { Time } from '#components/ui/time.tsx'
import type { NamedEntry } from '#lib/console/card-accounts/shapes.ts'
import { shortId } from '#lib/shared/ids.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'

const mostNamed = 20

/** The entries that a sum is made of, each leading to its page. */
export function BalanceNamedEntries({
  environment,
  cardAccountId,
  title,
  none,
  meaning,
  entries,
}: {
  environment: Environment
  cardAccountId: string
  title: string
  none: string
  meaning: string
  entries: readonly NamedEntry[]
}) {
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="font-medium">{title}</h3>
      <p className="text-xs text-faint">{entries.length === 0 ? none : meaning}</p>
      {entries.length > 0 && (
        <ul className="mt-1 divide-y">
          {entries.map((entry) => (
            <li key={entry.id} className="flex flex-wrap items-baseline justify-between gap-x-3 py-1.5">
              <span className="min-w-0">
                <Link
                  prefetch={false}
                  href={routes.transaction(environment, cardAccountId, entry.id)}
                  className={`wrap-anywhere ${quietLink}`}
                >
                  {entry.description || (entry.intent ? intentLabel(entry.intent) : `Entry ${shortId(entry.id)}`)}
                </Link>
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
