import { ArrowRight } from 'lucide-react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { AccountId } from '#components/fees/account-id.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { noValue } from '#components/ui/not-provided.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import type { AuditEntry } from '#lib/audit/types.ts'
import { shortId } from '#lib/shared/ids.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { recordHref } from '../operations/record-href.ts'
import { pageName } from './audit-labels.ts'

/** The record of an entry, with a link where it has a page. */
export function AuditTarget({ entry }: { entry: AuditEntry }) {
  const environment = useEnvironment()
  const { target } = entry
  if (target === null) return <span className="text-faint">{noValue}</span>
  const href = auditTargetHref(environment, target, entry)
  return (
    <TextLink href={href} className="wrap-anywhere">
      {targetName(target)}
    </TextLink>
  )
}

/** `Card 4242`, `card account 1d5c…7a52`, or the page as the navigation names it. */
export function targetName({ type, id, label }: NonNullable<AuditEntry['target']>): string {
  if (type === 'page') return pageName(id)
  return label ?? `${type.replace('cardaccount', 'card account').replace('-', ' ')} ${shortId(id)}`
}

/** Where a target is shown; null where no page is its own. */
function auditTargetHref(
  environment: Environment,
  target: NonNullable<AuditEntry['target']>,
  { act, facts }: AuditEntry,
): string | null {
  // Until it is made, a payout has the id of its quote.
  if (act !== 'payout.submit' && act !== 'payout.quote') return recordHref(environment, target)
  return facts.resultId && routes.payout(environment, facts.resultId)
}

/** Distinguishes the target from another one of the same name: whose fee, which account, which webhook. */
export function AuditTargetDetail({ entry: { target, facts } }: { entry: AuditEntry }) {
  const { account, address } = facts
  if (target?.type === 'fee' && target.parentId !== null) {
    return (
      <span className="wrap-anywhere">
        {account && `${account.name} `}
        <AccountId id={target.parentId} xid={account?.xid} />
      </span>
    )
  }
  if (target?.type === 'cardaccount') return <AccountId id={target.id} xid={account?.xid} />
  if (target?.type !== 'webhook') return null
  // A webhook without a name is called by its address already.
  if (address !== null && address !== target.label)
    return <span className="line-clamp-2 max-w-72 wrap-anywhere">{address}</span>
  return <IdText id={target.id} isCopyable={false} />
}

/** The requested limit, and the one before where it is known. */
export function AuditLimit({ limit }: { limit: NonNullable<AuditEntry['facts']['limit']> }) {
  const { before, after, currency } = limit
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-1.5">
      {before === null ? (
        'to'
      ) : (
        <>
          <Amount amount={before} currency={currency ?? ''} isCurrencyShown={false} />
          <ArrowRight aria-hidden="true" className="size-3 self-center text-faint" />
          <span className="sr-only">becomes</span>
        </>
      )}
      <Amount amount={after} currency={currency ?? ''} isCurrencyShown={currency !== null} />
    </span>
  )
}
