'use client'

import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { Callout } from '#components/ui/callout.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import type { LabResult } from '#lib/qa/lab/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { formatAmount } from '#lib/shared/currency.ts'
import { routes } from '#lib/shared/routes.ts'
import { useSandbox } from './use-sandbox.ts'

/** Titles of chosen accounts by their ids. */
export type Labels = ReadonlyMap<string, string>

/** The result of an action, with a link to the changed record. A transaction's status stays up to date. */
export function LabResultText({ result, labels, done }: { result: LabResult; labels: Labels; done: string }) {
  const environment = useEnvironment()
  const { sandbox } = useSandbox()
  const { transaction, cardAccountId, accounts } = result
  if (transaction) return <TransactionResult transaction={transaction} />
  if (accounts.length > 0) return <AccountResults accounts={accounts} labels={labels} done={done} />
  return (
    <Callout
      tone="good"
      title={done}
      isAlert
      actions={
        cardAccountId &&
        sandbox === null && <TextLink href={routes.cardAccount(environment, cardAccountId)}>Open account</TextLink>
      }
    />
  )
}

/** Results, account by account. */
function AccountResults({ accounts, labels, done }: Pick<LabResult, 'accounts'> & { labels: Labels; done: string }) {
  const environment = useEnvironment()
  const { sandbox } = useSandbox()
  const failed = accounts.filter(({ error }) => error !== null).length
  const [only, another] = accounts
  const title =
    only && !another
      ? accountText(only, done)
      : `${accounts.length - failed} of ${accounts.length} card accounts ${done.toLowerCase()}`
  return (
    <Callout tone={failed === 0 ? 'good' : 'warn'} title={title} isAlert>
      <ul className="grid gap-1">
        {accounts.map((one) => (
          <li key={one.cardAccountId} className="flex flex-wrap justify-between gap-x-3">
            {one.cardAccountId && sandbox === null && (
              <TextLink href={routes.cardAccount(environment, one.cardAccountId)}>
                {another ? (labels.get(one.cardAccountId) ?? one.cardAccountId) : 'Open account'}
              </TextLink>
            )}
            {another && sandbox !== null && (labels.get(one.cardAccountId ?? '') ?? one.cardAccountId)}
            {another && <span>{accountText(one, done)}</span>}
          </li>
        ))}
      </ul>
    </Callout>
  )
}

/** An amount that the service does not name is not made up. */
function accountText({ amount, currency, error }: LabResult['accounts'][number], done: string): string {
  if (error !== null) return error
  return amount === null
    ? done
    : `${done.slice(0, -1)} ${formatAmount(amount, currency)} ${currency ?? ''}`.trim() + '.'
}

const texts: Record<string, string> = {
  pending: 'Transaction pending.',
  posted: 'Transaction posted.',
  void: 'Transaction void.',
}

type Transaction = NonNullable<LabResult['transaction']>

/** A transaction with its status as it is now. No page of the console shows those of a sandbox of its own. */
function TransactionResult({ transaction }: { transaction: Transaction }) {
  const environment = useEnvironment()
  const { sandbox } = useSandbox()
  const { id, cardAccountId } = transaction
  const isShared = sandbox === null
  const { data } = useQuery({ ...readQuery('readTransaction', environment, cardAccountId, id), enabled: isShared })
  const { status: statusNow, authorization } = data?.transaction ?? {}
  const status = statusNow ?? transaction.status ?? ''
  const isDeclined = status === 'declined'
  return (
    <Callout
      tone={isDeclined ? 'warn' : 'good'}
      isAlert
      title={isDeclined ? 'Declined.' : (texts[status] ?? 'Done.')}
      actions={
        isShared ? (
          <TextLink href={routes.transaction(environment, cardAccountId, id)}>Open transaction</TextLink>
        ) : (
          <IdText id={id} label="transaction ID" />
        )
      }
    >
      {isDeclined && (transaction.reason ?? authorization?.responseMessage)}
    </Callout>
  )
}
