import Link from 'next/link'
import { EditReferenceButton } from '#components/references/edit-reference-button.tsx'
import { MetadataList } from '#components/references/metadata-list.tsx'
import { type Fact, FactList } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { Card } from '#lib/contract/records.ts'
import { shortId } from '#lib/shared/ids.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { expiryText } from './card-face.tsx'

export function CardFacts({ environment, card }: { environment: Environment; card: Card }) {
  const { product, network, embossedName, mobile, cardEmail, xid, replacedBy } = card
  const facts: Fact[] = [
    { label: 'Product', value: `${product?.name ?? '–'}, ${product?.cardType ?? '–'}` },
    { label: 'Network', value: network },
    { label: 'Name on the card', value: embossedName },
    { label: 'Expires', value: expiryText(card) },
    { label: 'External id', value: xid ? <IdText id={xid} label="external id" isWhole /> : 'none' },
    { label: 'Mobile', value: mobile ?? 'none' },
    { label: 'E-mail', value: cardEmail ?? 'none' },
    ...(replacedBy
      ? [
          {
            label: 'Replaced by',
            value: (
              <Link
                className="underline underline-offset-2"
                href={routes.card(environment, card.cardAccountId, replacedBy)}
              >
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
          environment={environment}
          target={{ type: 'card', id: card.id, parentId: card.cardAccountId, label: `card ending ${card.last4}` }}
          xid={xid}
          xmetadata={card.xmetadata}
        />
      }
    >
      <FactList facts={facts} />
      <h3 className="mt-3 mb-1.5 border-t pt-3 font-medium">Metadata</h3>
      <MetadataList xmetadata={card.xmetadata} />
    </Panel>
  )
}
