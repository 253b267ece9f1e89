import { useEnvironment } from '#components/environment/use-environment.ts'
import { RecordDetails } from '#components/references/record-details.tsx'
import { codeLabel } from '#components/ui/code-entry.ts'
import type { Facts } from '#components/ui/fact-list.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import type { Card } from '#lib/contract/records.ts'
import { shortId } from '#lib/shared/ids.ts'
import { routes } from '#lib/shared/routes.ts'
import { groupedPhone } from '../card-accounts/phones.ts'
import { cardNoun, expiryText } from './card-face.tsx'

const networkLabels: Record<string, string> = { card_network_1: 'Card network 1' }

export function CardFacts({ card, cardAccountId }: { card: Card; cardAccountId: string }) {
  const environment = useEnvironment()
  const { product, network, embossedName, mobile, cardEmail, replacedBy, createdAt } = card
  const facts: Facts = [
    { label: 'Product', value: [product?.name, product?.cardType].filter(Boolean).join(', ') },
    { label: 'Network', value: network && codeLabel(networkLabels, network) },
    { label: 'Name on the card', value: embossedName },
    { label: 'Created', value: <Time instant={createdAt} /> },
    { label: 'Expires', value: expiryText(card) },
    { label: 'Mobile', value: mobile ? groupedPhone(mobile) : 'None' },
    { label: 'Email', value: cardEmail ?? 'None' },
    replacedBy && {
      label: 'Replaced by',
      value: <TextLink href={routes.card(environment, cardAccountId, replacedBy)}>card {shortId(replacedBy)}</TextLink>,
    },
  ]
  return <RecordDetails target={{ type: 'card', id: card.id, label: cardNoun(card) }} record={card} facts={facts} />
}
