'use client'

import { useQuery } from '@tanstack/react-query'
import { AsOf } from '#components/environment/as-of.tsx'
import { readFailure } from '#components/environment/when-read.tsx'
import { OtherFields } from '#components/references/other-fields.tsx'
import { ErrorState } from '#components/ui/error-state.tsx'
import { CopyButton } from '#components/ui/id-text.tsx'
import { NotProvided } from '#components/ui/not-provided.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { LoadingBlocks } from '#components/ui/skeleton.tsx'
import type { ReceivedResponse } from '#lib/contract/records.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { fieldProblem } from '../environment/when-read.tsx'
import { longestWireCode } from './bank-params.ts'
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
      {isRequested && !data && !error && <LoadingBlocks what="the bank" blocks={['h-56']} className="border-t p-4" />}
      {data && fieldError === undefined && <BankFacts bank={data.bank} />}
    </Panel>
  )
}

type BankInfo = ReceivedResponse<'getBank'>

const labels: Record<Exclude<keyof BankInfo, 'otherFields'>, string> = {
  bankName: 'Bank',
  wireCode: 'Wire code',
  branch: 'Branch',
  bankAddress: 'Address',
  city: 'City',
  country: 'Country',
  countryCode: 'Country code',
  accountNumber: 'Account number',
  id: 'Bank ID',
}

function BankFacts({ bank }: { bank: BankInfo }) {
  return (
    <div className="border-t">
      <dl aria-label="Bank" className="divide-y">
        {Object.entries(labels).map(([name, label]) => {
          const text = bank[name as keyof typeof labels]
          return (
            <div key={name} className="flex min-h-10 items-center gap-x-4 px-4 py-1.5">
              <dt className="w-32 shrink-0 text-soft">{label}</dt>
              <dd className="flex min-w-0 flex-1 items-center gap-1 wrap-anywhere">
                {text ? (
                  <>
                    <span className="min-w-0 font-medium">{text}</span>
                    <CopyButton text={text} label={label.toLowerCase()} />
                  </>
                ) : (
                  <NotProvided />
                )}
              </dd>
            </div>
          )
        })}
      </dl>
      <div className="px-4 pb-3 empty:hidden">
        <OtherFields fields={bank.otherFields} />
      </div>
    </div>
  )
}
