'use client'

import { useEnvironment } from '#components/environment/use-environment.ts'
import { Amount } from '#components/ui/amount.tsx'
import type { Fact } from '#components/ui/fact-list.tsx'
import { Link } from '#components/ui/link.tsx'
import { quietLink } from '#components/ui/text-link.tsx'
import type { SentPayout } from '#lib/console/payouts/types.ts'
import { countryLabel } from '#lib/contract/country-names.ts'
import { shortId } from '#lib/shared/ids.ts'
import { routes } from '#lib/shared/routes.ts'
import { payoutMethodLabel, purposeLabel, sourceOfFundsLabel } from './code-labels.ts'
import { fieldLabel } from './new/labels.ts'
import { useBankName } from './use-bank-name.ts'

/** The facts of a payout as it is sent, for people: only those that it has. */
export function useSentFacts(payout: SentPayout): Fact[] {
  const environment = useEnvironment()
  const { accountId, accountName, country, purpose, sourceOfFunds, method } = payout
  const bank = useBankName(country, payout.bankCode)
  const facts: Fact[] = [
    {
      label: 'You send',
      value: payout.sourceAmount && <Amount amount={payout.sourceAmount} currency={payout.sourceCurrency} />,
    },
    {
      label: 'They receive',
      value: payout.destinationAmount && (
        <Amount amount={payout.destinationAmount} currency={payout.destinationCurrency} />
      ),
    },
    { label: 'Beneficiary', value: payout.beneficiary },
    { label: fieldLabel('destination.accountNumber', method), value: payout.accountNumber },
    { label: 'Bank', value: bank ?? (method === 'BANK_TRANSFER' ? 'None chosen' : null) },
    { label: 'Country', value: country && countryLabel(country) },
    { label: 'Address', value: payout.accountHolderAddress },
    { label: fieldLabel('destination.mobileNumber', method), value: payout.destination.mobileNumber },
    { label: fieldLabel('destination.email', method), value: payout.destination.email },
    { label: fieldLabel('source.mobileNumber', method), value: payout.source.mobileNumber },
    { label: 'Method', value: method && payoutMethodLabel(method) },
    {
      label: 'From',
      value: accountId && (
        <Link href={routes.fundingAccounts(environment, { accountId })} className={quietLink}>
          {accountName ?? `Account ${shortId(accountId)}`}
        </Link>
      ),
    },
    { label: 'Purpose', value: purpose && purposeLabel(purpose) },
    { label: 'Source of funds', value: sourceOfFunds && sourceOfFundsLabel(sourceOfFunds) },
    { label: 'Remarks', value: payout.remarks },
    { label: 'External ID', value: payout.xid },
  ]
  return facts.filter(({ value }) => value !== null && value !== '')
}
