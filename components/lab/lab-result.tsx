'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { Callout } from '#components/ui/callout.tsx'
import type { LabResult } from '#lib/console/lab/shapes.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { formatAmount } from '#lib/shared/currency.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'

const linkStyle = 'font-medium underline underline-offset-2'

/** What an action changed, with the way to it. A transaction's status stays up to date. */
export function LabResultText({ environment, result }: { environment: Environment; result: LabResult }) {
  const { transaction, cardAccountId, repaid } = result
  if (transaction) return <TransactionResult environment={environment} transaction={transaction} />
  return (
    <Callout
      tone="good"
      title={
        repaid
          ? `Repaid ${formatAmount(repaid.amount, repaid.currency)} ${repaid.currency ?? ''}`.trim() + '.'
          : 'Done.'
      }
      isAlert
      actions={
        cardAccountId && (
          <Link href={routes.cardAccount(environment, cardAccountId)} className={linkStyle}>
            Open account
          </Link>
        )
      }
    />
  )
}

const texts: Record<string, string> = {
  pending: 'Transaction pending.',
  posted: 'Transaction posted.',
  void: 'Transaction void.',
}

function TransactionResult({
  environment,
  transaction: { id, cardAccountId, status: statusThen, reason },
}: {
  environment: Environment
  transaction: NonNullable<LabResult['transaction']>
}) {
  const { data } = useQuery(readQuery('readTransaction', environment, cardAccountId, id))
  const status = data?.transaction.status ?? statusThen ?? ''
  const isDeclined = status === 'declined'
  return (
    <Callout
      tone={isDeclined ? 'warn' : 'good'}
      isAlert
      title={isDeclined ? 'Declined.' : (texts[status] ?? 'Done.')}
      actions={
        <Link href={routes.transaction(environment, cardAccountId, id)} className={linkStyle}>
          Open transaction
        </Link>
      }
    >
      {isDeclined && reason}
    </Callout>
  )
}
