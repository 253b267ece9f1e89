'use client'

import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { DataTable } from '#components/data-table/data-table.tsx'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { Checkbox } from '#components/form/checkbox.tsx'
import { FormDialog } from '#components/form/form-dialog.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { ActionDialog } from '#components/operations/action-dialog.tsx'
import { OutcomeCallout } from '#components/operations/outcome-text.tsx'
import { useAction } from '#components/operations/use-action.ts'
import { StatusBadge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { Dialog, type DialogProps, useOpened } from '#components/ui/dialog.tsx'
import { FactList } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Page } from '#components/ui/page.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time.tsx'
import type { EmbedKey, EmbedSettings } from '#lib/console/embed/types.ts'
import { environmentInSentence } from '#lib/shared/routes.ts'

export function EmbeddingScreen() {
  const query = useRead('readEmbedSettings')
  const creation = useOpened()
  return (
    <Page
      title="Embedding"
      above={[{ label: 'Settings' }]}
      subtitle="Views of single objects, for help desks"
      actions={
        <Button variant="primary" icon={<Plus />} onClick={() => creation.open({})}>
          Create key…
        </Button>
      }
    >
      <WhenRead query={query} what="The settings" blocks={['h-36', 'h-56']}>
        {(settings) => <EmbeddingPanels settings={settings} />}
      </WhenRead>
      {creation.opened && <CreateKeyDialog key={creation.opened.operationId} {...creation.opened} />}
    </Page>
  )
}

function EmbeddingPanels({ settings }: { settings: EmbedSettings }) {
  const environment = useEnvironment()
  const { consoleUrl, integrity, origins, keys } = settings
  const { open, opened } = useOpened<{ embedKey: EmbedKey }>()
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
              label: 'Integrity of the script',
              value: <IdText id={integrity} label="integrity of the script" isWhole />,
            },
            {
              label: 'Token endpoint',
              value: <IdText id={`${consoleUrl}/api/embed/tokens`} label="token endpoint" isWhole />,
            },
          ]}
        />
      </Panel>
      <Panel title="Keys" note={<span className="text-faint">for {environmentInSentence[environment]}</span>} isFlush>
        <DataTable
          tableId="embed-keys"
          caption="Keys"
          columns={keyColumns((embedKey) => open({ embedKey }))}
          rows={keys}
          rowId={({ id }) => id}
          empty={{ title: 'No keys yet', body: 'A help desk’s server gets tokens with its key.' }}
          isBare
        />
      </Panel>
      {opened && <RevokeDialog key={opened.operationId} {...opened} />}
    </>
  )
}

function RevokeDialog({ embedKey, ...dialog }: DialogProps & { embedKey: EmbedKey }) {
  return (
    <ActionDialog
      {...dialog}
      action="revokeEmbedKey"
      input={{ keyId: embedKey.id }}
      confirmationLevel="moderate"
      title={`Revoke the key ${embedKey.name}?`}
      consequence="Its views stop within seconds, and its server can’t create tokens. This can’t be undone."
      confirmLabel="Revoke key"
      cancelLabel="Keep key"
      note="Saved in the audit log"
    />
  )
}

/** The columns of the keys; `onRevoke` opens the question. */
function keyColumns(onRevoke: (key: EmbedKey) => void): DataColumn<EmbedKey>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
      below: ({ ending, hasLink }) => (
        <>
          <span className="font-mono">…{ending}</span>
          {!hasLink && ' · without “Open in Carddesk”'}
        </>
      ),
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
      cell: ({ lastUsedAt }) => <Time instant={lastUsedAt} missing="Never" />,
    },
    {
      id: 'created',
      header: 'Created',
      priority: 3,
      cell: ({ createdAt }) => <Time instant={createdAt} />,
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

/** Creates a key and shows it once. */
function CreateKeyDialog(dialog: DialogProps) {
  const environment = useEnvironment()
  const { isPending, problem, errors, onChange, run } = useAction()
  const [secret, setSecret] = useState<string | null>(null)
  const shown = useRef<HTMLDivElement>(null)

  async function create(values: FormData) {
    const input = { name: String(values.get('name') ?? ''), hasLink: !values.has('noLink') }
    const created = await run('createEmbedKey', input)
    if (created) setSecret(created.secret)
  }

  if (secret !== null) {
    return (
      <Dialog
        {...dialog}
        title="Copy the key now"
        description="It isn’t shown again. Store it on the help desk’s server."
        // A second Enter copies the key. On a button that closes the dialog it would lose it.
        initialFocus={() => shown.current?.querySelector('button') ?? null}
        footer={
          <Button variant="primary" onClick={dialog.onClose}>
            Done
          </Button>
        }
      >
        <div ref={shown}>
          <Callout tone="good" isAlert>
            <IdText id={secret} label="key" isWhole className="font-mono text-xs" />
          </Callout>
        </div>
      </Dialog>
    )
  }
  return (
    <FormDialog
      {...dialog}
      title="Create a key?"
      description={`A help desk’s server creates tokens for ${environment} with it.`}
      submitLabel="Create key"
      isPending={isPending}
      onChange={onChange}
      onSubmit={(values) => void create(values)}
    >
      <TextField label="Name" name="name" hint="The help desk, such as Zendesk" maxLength={80} error={errors.name} />
      <Checkbox name="noLink" label="Leave out “Open in Carddesk”, for agents who can’t sign in" />
      {problem && <OutcomeCallout outcome={problem} />}
    </FormDialog>
  )
}
