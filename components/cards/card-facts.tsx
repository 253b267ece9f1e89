import Link from 'next/link'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { EditReferenceButton } from '#components/references/edit-reference-button.tsx'
import { MetadataList } from '#components/references/metadata-list.tsx'
import { OtherFields } from '#components/references/other-fields.tsx'
import { codeLabel } from '#components/ui/code-entry.ts'
import { type Fact, FactList } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time.tsx'
import type { Card } from '#lib/contract/records.ts'
import { shortId } from '#lib/shared/ids.ts'
import { routes } from '#lib/shared/routes.ts'
import { groupedPhone } from '../card-accounts/phones.ts'
import { cardTitle, expiryText } from './card-face.tsx'

const networkLabels: Record<string, string> = { card_network_1: 'Card network 1' }

export function CardFacts({ card, cardAccountId }: { card: Card; cardAccountId: string }) {
  const environment = useEnvironment()
  const { product, network, embossedName, mobile, cardEmail, xid, replacedBy, createdAt } = card
  const facts: Fact[] = [
    { label: 'Product', value: [product?.name, product?.cardType].filter(Boolean).join(', ') },
    { label: 'Network', value: network && codeLabel(networkLabels, network) },
    { label: 'Name on the card', value: embossedName },
    { label: 'Created', value: <Time instant={createdAt} format="date-time" /> },
    { label: 'Expires', value: expiryText(card) },
    { label: 'External ID', value: xid ? <IdText id={xid} label="external ID" isWhole /> : 'None' },
    { label: 'Mobile', value: mobile ? groupedPhone(mobile) : 'None' },
    { label: 'Email', value: cardEmail ?? 'None' },
    ...(replacedBy
      ? [
          {
            label: 'Replaced by',
            value: (
              <Link className="underline underline-offset-2" href={routes.card(environment, cardAccountId, replacedBy)}>
                card {shortId(replacedBy)}
              </Link>
            ),
          },
        ]
      : []),
  ]
  return (
    <Panel
      title="Details"
      actions={
        <EditReferenceButton
          target={{
            type: 'card',
            id: card.id,
            label: cardTitle(card).replace('Card', 'card'),
          }}
          xid={xid}
          xmetadata={card.xmetadata}
        />
      }
    >
      <FactList facts={facts} />
      <h3 className="mt-3 mb-1.5 border-t pt-3 font-medium">Metadata</h3>
      <MetadataList xmetadata={card.xmetadata} />
      <OtherFields fields={card.otherFields} />
    </Panel>
  )
}
