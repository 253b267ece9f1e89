'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { DataTable } from '#components/data-table/data-table.tsx'
import { WhenRead } from '#components/environment/when-read.tsx'
import { ConfirmDialog, type ConfirmOutcome } from '#components/form/confirm-dialog.tsx'
import { Button } from '#components/ui/button.tsx'
import { FactList } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Loading, Skeleton } from '#components/ui/skeleton.tsx'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import { Time } from '#components/ui/time.tsx'
import { revokeEmbedKey } from '#lib/actions/embed.ts'
import type { EmbedKey, EmbedSettings } from '#lib/console/embed/shapes.ts'
import { readKey, readQuery } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'

export function EmbeddingScreen({ environment }: { environment: Environment }) {
  const query = useQuery(readQuery('readEmbedSettings', environment))
  const [creation, setCreation] = useState({ key: 0, isOpen: false })
  return (
    <div className="grid min-w-0 gap-5">
      <PageHeader
        title="Embedding"
        breadcrumbs={[{ label: 'Settings' }, { label: 'Embedding' }]}
        subtitle="Read-only views of single objects, for help desks"
        actions={
          <Button
            variant="primary"
            icon={<Plus />}
            onClick={() => setCreation(({ key }) => ({ key: key + 1, isOpen: true }))}
          >
            Create key…
          </Button>
        }
      />
      <WhenRead query={query} what="The settings" skeleton={<EmbeddingSkeleton />}>
        {(settings) => <EmbeddingPanels environment={environment} settings={settings} />}
      </WhenRead>
      {creation.key > 0 && (
        <CreateKeyDialog
          key={creation.key}
          environment={environment}
          isOpen={creation.isOpen}
          onClose={() => setCreation({ ...creation, isOpen: false })}
        />
      )}
    </div>
  )
}

function EmbeddingPanels({ environment, settings }: { environment: Environment; settings: EmbedSettings }) {
  const { consoleUrl, origins, keys } = settings
  const [revoking, setRevoking] = useState<{ key: EmbedKey; isOpen: boolean } | null>(null)
  return (
    <>
      <Panel title="Hosts">
        <FactList
          facts={[
            {
              label: 'Allowed hosts',
              value:
                origins.length > 0
                  ? origins.map((origin) => (
                      <span key={origin} className="block font-mono text-xs/5 wrap-anywhere">
                        {origin}
                      </span>
                    ))
                  : 'None. Set EMBED_ALLOWED_ORIGINS.',
            },
            { label: 'Script', value: <IdText id={`${consoleUrl}/embed.js`} label="script URL" isWhole /> },
            {
              label: 'Token endpoint',
              value: <IdText id={`${consoleUrl}/api/embed/tokens`} label="token endpoint" isWhole />,
            },
          ]}
        />
      </Panel>
      <Panel title="Keys" note={<span className="text-faint">for {environment}</span>} isFlush>
        <DataTable
          tableId="embed-keys"
          caption="Keys"
          columns={keyColumns((key) => setRevoking({ key, isOpen: true }))}
          rows={keys}
          rowId={({ id }) => id}
          empty={{ title: 'No keys yet', body: 'A help desk’s server gets tokens with its key.' }}
          isBare
        />
      </Panel>
      {revoking && (
        <RevokeDialog
          key={revoking.key.id}
          environment={environment}
          embedKey={revoking.key}
          isOpen={revoking.isOpen}
          onClose={() => setRevoking({ ...revoking, isOpen: false })}
        />
      )}
    </>
  )
}

function RevokeDialog({
  environment,
  embedKey,
  isOpen,
  onClose,
}: {
  environment: Environment
  embedKey: EmbedKey
  isOpen: boolean
  onClose: () => void
}) {
  const client = useQueryClient()
  const [isPending, setIsPending] = useState(false)
  const [outcome, setOutcome] = useState<ConfirmOutcome | null>(null)

  async function revoke() {
    setIsPending(true)
    const result = await revokeEmbedKey({ environment, keyId: embedKey.id }).catch(() => null)
    setIsPending(false)
    await client.invalidateQueries({ queryKey: readKey('readEmbedSettings', environment) })
    if (result?.kind === 'revoked') return onClose()
    const body = result?.kind === 'refused' ? result.outcome.message : 'Carddesk isn’t responding. Try again.'
    setOutcome({ tone: 'bad', title: 'Couldn’t revoke the key.', body })
  }

  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={(next) => !next && onClose()}
      grade="moderate"
      title={`Revoke the key ${embedKey.name}?`}
      consequence="Its views stop immediately, and its server can’t create tokens. This can’t be undone."
      confirmLabel="Revoke key"
      cancelLabel="Keep key"
      note="Saved in the audit log"
      isPending={isPending}
      outcome={outcome}
      onRetry={() => void revoke()}
      onConfirm={() => void revoke()}
    />
  )
}

function EmbeddingSkeleton() {
  return (
    <div className="grid gap-5">
      <Loading what="the settings" />
      <Skeleton className="h-36 w-full rounded-panel" />
      <Skeleton className="h-56 w-full rounded-panel" />
    </div>
  )
}

/** The columns of the keys; `onRevoke` opens the question. */
function keyColumns(onRevoke: (key: EmbedKey) => void): DataColumn<EmbedKey>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
      below: ({ ending }) => <span className="font-mono">…{ending}</span>,
    },
    {
      id: 'status',
      header: 'Status',
      cell: ({ revokedAt }) =>
        revokedAt === null ? <StatusBadge tone="good" label="Active" /> : <StatusBadge label="Revoked" />,
    },
    {
      id: 'used',
      header: 'Last used',
      priority: 2,
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? (
          <span className="text-faint">Never</span>
        ) : (
          <Time instant={lastUsedAt} format="date-time" />
        ),
    },
    {
      id: 'created',
      header: 'Created',
      priority: 3,
      cell: ({ createdAt }) => <Time instant={createdAt} format="date-time" />,
      below: ({ createdBy }) => `by ${createdBy}`,
    },
    {
      id: 'revoke',
      header: 'Action',
      isHideable: false,
      align: 'end',
      cell: (key) =>
        key.revokedAt === null ? (
          <Button size="small" variant="danger-quiet" onClick={() => onRevoke(key)}>
            <span>
              Revoke<span className="sr-only"> {key.name}</span>
            </span>
          </Button>
        ) : (
          <span className="text-xs text-faint">by {key.revokedBy}</span>
        ),
    },
  ]
}
