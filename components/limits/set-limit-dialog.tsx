'use client'

import { Gauge, ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { ApprovalAhead, confirmLabelAhead, useApprovalAhead } from '#components/approvals/approval-ahead.tsx'
import { accountTitle } from '#components/card-accounts/account-labels.ts'
import { TextField } from '#components/form/text-field.tsx'
import { OperationDialog } from '#components/operations/operation-dialog.tsx'
import { ReasonFields, reasonIn, reasonProblems } from '#components/operations/reason-fields.tsx'
import { type OperationProps, useOperation } from '#components/operations/use-operation.ts'
import { Amount } from '#components/ui/amount.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { exactSum, isEqual, isLess, isMore, negated } from '#lib/contract/exact-sum.ts'
import { isLimit, limitProblem, plainLimit } from '#lib/contract/limit-text.ts'
import type { CardAccount } from '#lib/contract/records.ts'
import { formatAmount } from '#lib/shared/currency.ts'

const fields = ['limit', 'reason', 'comment']

/**
 * Sets one account's fixed limit: shows the present limit and the resulting available amount.
 */
export function SetLimitDialog({
  account: now,
  suggested,
  ...dialog
}: OperationProps & {
  account: CardAccount
  /** Decimal text that stands in the field. */
  suggested?: string
}) {
  // The account stays as it was when the dialog opened, or when the person took over how it is now. The server refuses another limit.
  const [account, setAccount] = useState(now)
  const [limit, setEntered] = useState(suggested === undefined ? '' : formatAmount(suggested, now.currency))
  const operation = useOperation({
    ...dialog,
    kind: 'account.set-limit',
    onDone: ({ record: after }) => {
      if (after === null) return
      return { description: <LimitChange before={account} after={after} /> }
    },
  })
  const { errors } = operation
  const { currency, limit: limitBefore } = account
  const isRaise = isLimit(limit, currency) && isMore(plainLimit(limit), limitBefore)
  const ahead = useApprovalAhead(isRaise ? { topic: 'limit-raises', amount: plainLimit(limit), currency } : null)
  return (
    <OperationDialog
      {...dialog}
      operation={operation}
      fields={fields}
      confirmationLevel="light"
      title={`Set the limit of ${accountTitle(account)}?`}
      consequence="The most that can be owed on this account. Earlier charges stay."
      rows={[
        { label: 'Limit now', value: <Amount amount={account.limit} currency={currency} /> },
        { label: 'Owed now', value: <Amount amount={account.outstanding} currency={currency} /> },
        { label: 'Available now', value: <Amount amount={account.available} currency={currency} /> },
        { label: 'Expected available', value: <ExpectedAvailable account={account} limit={limit} /> },
      ]}
      unavailable={
        limitBefore === null ? 'The card service didn’t provide the limit that this would change.' : undefined
      }
      confirmLabel={confirmLabelAhead(ahead, 'Set limit')}
      confirmIcon={<Gauge aria-hidden="true" />}
      cancelLabel="Keep limit"
      onConfirm={(values) => {
        if (limitBefore === null) return
        const problem = limitProblem(limit, currency)
        if (problem) return operation.setErrors({ limit: problem })
        const reason = reasonIn(values)
        const problems = reasonProblems('account.set-limit', reason, isRaise)
        if (Object.keys(problems).length > 0) return operation.setErrors(problems)
        operation.start({ cardAccountId: account.id, limit: plainLimit(limit), limitBefore, ...reason })
      }}
    >
      {!operation.isPending &&
        operation.outcome === null &&
        !operation.isDone &&
        !isEqual(now.limit, account.limit) && (
          <Callout
            tone="warn"
            title="The limit was changed meanwhile."
            actions={
              <Button
                onClick={() => {
                  setAccount(now)
                  operation.setErrors({})
                }}
              >
                Change it from there
              </Button>
            }
          >
            It is <Amount amount={now.limit} currency={currency} /> now.
          </Callout>
        )}
      <TextField
        label="New limit"
        name="limit"
        inputMode="decimal"
        spellCheck={false}
        inputClassName="text-right font-medium"
        suffix={currency ?? ''}
        value={limit}
        onChange={(event) => setEntered(event.target.value)}
        onBlur={() => {
          if (isLimit(limit, currency)) setEntered(formatAmount(plainLimit(limit), currency))
        }}
        error={errors.limit && `The limit ${errors.limit}.`}
      />
      <ReasonFields kind="account.set-limit" errors={errors} isRequired={isRaise} />
      <BelowOutstanding account={account} limit={limit} />
      <ApprovalAhead ahead={ahead} />
    </OperationDialog>
  )
}

function ExpectedAvailable({ account, limit: entered }: { account: CardAccount; limit: string }) {
  const { available, limit, currency } = account
  if (available === null || limit === null) return <span className="text-faint">Can’t be computed</span>
  if (!isLimit(entered, currency)) return <span className="text-faint">Enter a limit</span>
  const after = exactSum([available, negated(limit), plainLimit(entered)])
  return <Amount amount={after} currency={currency} tone={isLess(after, 0) ? 'bad' : undefined} />
}

function BelowOutstanding({ account, limit }: { account: CardAccount; limit: string }) {
  const isBelow = isLimit(limit, account.currency) && isLess(plainLimit(limit), account.outstanding)
  return (
    <output className="block">
      {isBelow && (
        <Callout tone="warn" title="More is owed than this limit allows.">
          What is available becomes negative: every charge is declined until enough is repaid.
        </Callout>
      )}
    </output>
  )
}

/** The limit before and after, and the available amount that results. `after` equals `before` until it is read back. */
export function LimitChange({ before, after }: { before: CardAccount; after: CardAccount }) {
  if (after.limit === null)
    return <p className="mt-1">The card service didn’t provide the limit when it was read back.</p>
  if (isEqual(before.limit, after.limit)) {
    return <p className="mt-1">The account could not be read back; its page shows the limit.</p>
  }
  return (
    <dl className="mt-2 grid gap-0.5">
      <Change label="Limit" before={before.limit} after={after.limit} currency={after.currency} />
      <Change label="Available" before={before.available} after={after.available} currency={after.currency} />
    </dl>
  )
}

function Change({
  label,
  before,
  after,
  currency,
}: {
  label: string
  before: number | null
  after: number | null
  currency: string | null
}) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-2">
      <dt>{label}</dt>
      <dd className="flex flex-wrap items-baseline gap-x-2">
        <Amount amount={before} currency={currency} isCurrencyShown={false} />
        <ArrowRight aria-hidden="true" className="size-3.5 self-center" />
        <span className="sr-only">is now</span>
        <strong>
          <Amount amount={after} currency={currency} />
        </strong>
      </dd>
    </div>
  )
}
