'use client'

import { useQueryStates } from 'nuqs'
import { PageHeader } from '#components/ui/page-header.tsx'
import type { Environment } from '#lib/shared/routes.ts'
import { BankByWireCode } from './bank-by-wire-code.tsx'
import { bankParams } from './bank-params.ts'
import { BanksByCountry } from './banks-by-country.tsx'

/** The banks that payouts reach in a country, and the record of a wire code. */
export function BanksScreen({ environment }: { environment: Environment }) {
  const [{ country, q, wireCode }, setParams] = useQueryStates(bankParams, { history: 'push' })
  return (
    <div className="grid min-w-0 gap-4">
      <PageHeader
        title="Banks"
        breadcrumbs={[{ label: 'Banks' }]}
        subtitle="Look up payout banks by country or SWIFT code."
      />
      <div className="grid min-w-0 items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <BanksByCountry
          environment={environment}
          country={country}
          q={q}
          onCountry={(next) => void setParams({ country: next, q: null })}
          onSearch={(next) => void setParams({ q: next === '' ? null : next }, { history: 'replace' })}
        />
        <BankByWireCode
          environment={environment}
          wireCode={wireCode}
          onLookUp={(next) => void setParams({ wireCode: next })}
        />
      </div>
    </div>
  )
}
