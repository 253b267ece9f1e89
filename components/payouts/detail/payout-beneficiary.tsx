import { type Fact, FactList } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { PayoutRecord } from '#lib/console/payouts/shapes.ts'
import { countryLabel } from '#lib/shared/countries.ts'
import { payoutMethodLabel } from '../code-labels.ts'

/** Where the money goes, as the service gives it: of a card number its last four digits. */
export function PayoutBeneficiary({ payout }: { payout: PayoutRecord }) {
  const { destination, method } = payout
  const isCard = method === 'NETWORK_CARD' || destination.type === 'CARD_ACCOUNT'
  const rows: [string, Fact['value']][] = [
    ['Name', destination.accountHolderName],
    ['Method', method && payoutMethodLabel(method)],
    [
      isCard ? 'Card number' : 'Account number',
      destination.accountNumber && isCard ? (
        <span className="font-mono">•••• {destination.accountNumber}</span>
      ) : (
        destination.accountNumber && <IdText id={destination.accountNumber} label="account number" isWhole />
      ),
    ],
    ['Bank', destination.bankName],
    ['Bank’s address', destination.bankAddress],
    ['Wire code', destination.wireCode && <span className="font-mono">{destination.wireCode}</span>],
    ['Routing number', destination.routingNumber && <span className="font-mono">{destination.routingNumber}</span>],
    ['Country', destination.country && countryLabel(destination.country)],
    ['Address', destination.accountHolderAddress],
    ['Kind', destination.type && destination.type !== kindOf(isCard) ? destination.type : null],
  ]
  return (
    <Panel title="Beneficiary">
      <FactList
        facts={rows
          .filter(([label, value]) => expected.includes(label) || Boolean(value))
          .map(([label, value]) => ({ label, value }))}
      />
    </Panel>
  )
}

/** Shown as not provided where they are missing; other fields depend on the method and the country. */
const expected = ['Name', 'Method', 'Card number', 'Account number', 'Country']

/** What the method says already needs no line of its own. */
function kindOf(isCard: boolean): string {
  return isCard ? 'CARD_ACCOUNT' : 'BANK_ACCOUNT'
}
