import Link from 'next/link'
import type { ReactNode } from 'react'
import { MetadataList } from '#components/card-accounts/metadata-list.tsx'
import { EditReferenceButton } from '#components/references/edit-reference-button.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { Card } from '#lib/contract/cards.ts'
import { shortId } from '#lib/shared/ids.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { expiryText } from './card-face.tsx'

export function CardFacts({ environment, card }: { environment: Environment; card: Card }) {
  const { product, network, embossedName, mobile, cardEmail, xid, replacedBy } = card
  const facts: [string, ReactNode][] = [
    ['Product', `${product?.name ?? '–'}, ${product?.cardType ?? '–'}`],
    ['Network', network],
    ['Name on the card', embossedName],
    ['Expires', expiryText(card)],
    ['External id', xid ? <IdText id={xid} label="external id" isWhole /> : 'none'],
    ['Mobile', mobile ?? 'none'],
    ['E-mail', cardEmail ?? 'none'],
    ...(replacedBy
      ? [
          [
            'Replaced by',
            <Link
              key="link"
              className="underline underline-offset-2"
              href={routes.card(environment, card.cardAccountId, replacedBy)}
            >
              card {shortId(replacedBy)}
            </Link>,
          ] as [string, ReactNode],
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
      <dl className="divide-y">
        {facts.map(([label, value]) => (
          <div
            key={label}
            className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5 first:pt-0 last:pb-0"
          >
            <dt className="text-soft">{label}</dt>
            <dd className="min-w-0 text-right wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <h3 className="mt-3 mb-1.5 border-t pt-3 font-medium">Metadata</h3>
      <MetadataList xmetadata={card.xmetadata} />
    </Panel>
  )
}
