'use client'

import { useQuery } from '@tanstack/react-query'
import { AsOf } from '#components/environment/as-of.tsx'
import { readFailure } from '#components/environment/read-failure.ts'
import { otherValueText } from '#components/references/other-fields.tsx'
import { ErrorState } from '#components/ui/error-state.tsx'
import { CopyButton } from '#components/ui/id-text.tsx'
import { NotProvided } from '#components/ui/not-provided.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Loading, Skeleton } from '#components/ui/skeleton.tsx'
import type { ReceivedResponse } from '#lib/contract/records.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { longestWireCode } from './bank-params.ts'
import { fieldProblem } from './field-problem.ts'
import { LookupField } from './lookup-field.tsx'

export function checkWireCode(text: string): string | undefined {
  if (text === '') return 'Enter a wire code, such as HSBCHKHH.'
  if (holdsCardNumber(text)) return 'This looks like a card number. It wasn’t sent or stored.'
  if (text.length > longestWireCode)
    return `A wire code has at most ${longestWireCode} characters; this has ${text.length}.`
  return undefined
}

/** The whole record of a bank, by its wire code. */
export function BankByWireCode({
  environment,
  wireCode,
  onLookUp,
}: {
  environment: Environment
  wireCode: string | null
  onLookUp: (wireCode: string) => void
}) {
  const problem = wireCode === null ? undefined : checkWireCode(wireCode)
  const isRequested = wireCode !== null && problem === undefined
  const { data, error, isFetching, refetch } = useQuery({
    ...readQuery('readBank', environment, { wireCode: wireCode ?? '' }),
    enabled: isRequested,
  })
  const fieldError = fieldProblem(error, ['BANK_NOT_FOUND', 'INVALID_PARAMETERS', 'CARD_NUMBER_REFUSED'])
  const failure = data || fieldError !== undefined ? null : readFailure(error, 'The bank')
  return (
    <Panel title="By wire code" note={data && <AsOf freshness={data.freshness} />} isFlush>
      <div className="p-4">
        <LookupField
          label="Wire code"
          hint="8 characters, or 11 with the branch."
          value={wireCode ?? ''}
          error={problem ?? fieldError}
          check={checkWireCode}
          onLookUp={onLookUp}
          isPending={isRequested && isFetching && !data}
        />
      </div>
      {isRequested && failure && (
        <div className="border-t">
          <ErrorState failure={failure} onRetry={() => void refetch()} isRetrying={isFetching} />
        </div>
      )}
      {isRequested && !data && !error && (
        <div className="grid gap-2 border-t p-4">
          <Loading what="the bank" />
          <Skeleton className="h-56 w-full rounded-control" />
        </div>
      )}
      {data && fieldError === undefined && <BankFacts bank={data.bank} />}
    </Panel>
  )
}

type BankInfo = ReceivedResponse<'getBank'>

const labels: Record<keyof BankInfo, string> = {
  bankName: 'Bank',
  wireCode: 'Wire code',
  branch: 'Branch',
  bankAddress: 'Address',
  city: 'City',
  country: 'Country',
  countryCode: 'Country code',
  accountNumber: 'Account number',
  id: 'Bank id',
}

/** Every field of a record in the order in which people read it; unknown fields come last, by their own name. */
export function bankFacts(bank: Readonly<Record<string, unknown>>): { name: string; label: string; text: string }[] {
  const known = Object.keys(labels)
  const names = [...known, ...Object.keys(bank).filter((name) => !known.includes(name))]
  return names.map((name) => {
    const value = Object.hasOwn(bank, name) ? bank[name] : null
    const text = value === null || value === undefined ? '' : otherValueText(value)
    return { name, label: Object.hasOwn(labels, name) ? labels[name as keyof BankInfo] : name, text }
  })
}

function BankFacts({ bank }: { bank: BankInfo }) {
  return (
    <dl aria-label="Bank" className="divide-y border-t">
      {bankFacts(bank).map(({ name, label, text }) => (
        <div key={name} className="flex min-h-10 items-center gap-x-4 px-4 py-1.5">
          <dt className="w-32 shrink-0 text-soft">{label}</dt>
          <dd className="flex min-w-0 flex-1 items-center gap-1 wrap-anywhere">
            {text === '' ? (
              <NotProvided />
            ) : (
              <>
                <span className="min-w-0 font-medium">{text}</span>
                <CopyButton text={text} label={label.toLowerCase()} />
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
