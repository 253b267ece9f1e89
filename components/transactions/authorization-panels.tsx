import { Amount } from '#components/ui/amount.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time.tsx'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { countryLabel } from '#lib/shared/countries.ts'
import { Facts, type Fact } from './facts.tsx'
import { declineReason } from './transaction-labels.ts'
import { approvalText, authorizationTypeLabel } from './transaction-meanings.ts'

/** The request to the issuer, and the issuer's response. Only charges have an authorization. */
export function AuthorizationPanel({ transaction }: { transaction: CardAccountTransaction }) {
  const { authorization } = transaction
  if (!authorization) return null
  const { amount, currency, type, cardPresent, createdAt, id } = authorization
  const response = declineReason(transaction) ?? approvalText(transaction)
  const facts: Fact[] = [
    ['Response', response],
    ['Amount at the merchant', <Amount key="amount" amount={amount} currency={currency} />],
    ['Type', type && authorizationTypeLabel(type)],
    ['Card', cardPresent === null ? null : cardPresent ? 'present, with the cardholder' : 'not present'],
    ['Requested', <Time key="at" instant={createdAt} format="exact" isZoneShown />],
    ['Authorization id', <IdText key="id" id={id} label="authorization id" />],
  ]
  return (
    <Panel title="Authorization">
      <Facts facts={facts} />
    </Panel>
  )
}

export function MerchantPanel({ transaction }: { transaction: CardAccountTransaction }) {
  const { merchant } = transaction
  if (!merchant) return null
  const { name, category, mcc, country } = merchant
  const facts: Fact[] = [
    ['Name', name],
    [
      'Category',
      (category || mcc) && (
        <>
          {category || 'Not provided'} {mcc && <span className="text-faint">(MCC {mcc})</span>}
        </>
      ),
    ],
    // The browser may name a country otherwise than the server, which knows the same list in another edition.
    [
      'Country',
      country && (
        <span key="country" suppressHydrationWarning>
          {countryText(country)}
        </span>
      ),
    ],
  ]
  return (
    <Panel title="Merchant">
      <Facts facts={facts} />
    </Panel>
  )
}

let names: Intl.DisplayNames | undefined

/** `HK` → `Hong Kong (HK)`; what is no code of a country is shown as it is. */
function countryText(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code
  names ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const own = countryLabel(code)
  const name = own === code ? names.of(code) : own
  return name ? `${name} (${code})` : code
}
