import { EditReferenceButton } from '#components/references/edit-reference-button.tsx'
import { MetadataList } from '#components/references/metadata-list.tsx'
import { otherValueText } from '#components/references/other-fields.tsx'
import { FactList } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time.tsx'
import type { PayoutRecord } from '#lib/console/payouts/shapes.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { beneficiaryName } from '../payout-labels.ts'

/** The caller's own references, the times, and every field that the service sent and the interface does not name. */
export function PayoutReferences({ environment, payout }: { environment: Environment; payout: PayoutRecord }) {
  const { xid, xmetadata, created, updated, more } = payout
  return (
    <Panel
      title="Details"
      actions={
        <EditReferenceButton
          environment={environment}
          target={{ type: 'payout', id: payout.id, label: `payout to ${beneficiaryName(payout.destination)}` }}
          xid={xid}
          xmetadata={xmetadata}
        />
      }
    >
      <FactList
        facts={[
          { label: 'External id', value: xid ? <IdText id={xid} label="external id" isWhole /> : 'none' },
          { label: 'Created', value: <Time instant={created} format="exact" /> },
          { label: 'Last changed', value: <Time instant={updated} format="exact" /> },
        ]}
      />
      <h3 className="mt-3 mb-1.5 border-t pt-3 font-medium">Metadata</h3>
      <MetadataList xmetadata={xmetadata} />
      {more.length > 0 && (
        <>
          <h3 className="mt-3 border-t pt-3 font-medium">Other fields</h3>
          <p className="mb-1.5 text-xs text-faint">Unknown fields, shown as the API sent them.</p>
          <FactList
            facts={more.map(({ name, value }) => ({
              label: name,
              value: <span className="font-mono">{otherValueText(value)}</span>,
            }))}
          />
        </>
      )}
    </Panel>
  )
}
