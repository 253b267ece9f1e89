'use client'

import { useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { ConfirmDialog } from '#components/form/confirm-dialog.tsx'
import { SelectField } from '#components/form/select-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { FactList } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { durationText, formatTime } from '#components/ui/time-format.ts'
import { Time, useTicking } from '#components/ui/time.tsx'
import type { ReadResult } from '#lib/queries/reads.ts'
import { LabProblemText, useLabAction } from './use-lab.tsx'
import { forgetSandboxes, sandboxName, useSandbox } from './use-sandbox.ts'

const NewSandboxDialog = lazyDialog(() => import('./new-sandbox.tsx').then((file) => file.NewSandboxDialog))

type Sandbox = ReadResult<'listSandboxes'>['sandboxes'][number]

const shared = 'shared'

/** Names the sandbox that the lab acts on, switches to another one, and makes and ends those of its own. */
export function SandboxBar() {
  const environment = useEnvironment()
  const client = useQueryClient()
  const { data } = useRead('listSandboxes')
  const { sandbox, choose } = useSandbox()
  const zone = usePageZone()
  const making = useOpened()
  const sandboxes = data?.sandboxes ?? []
  const own = sandboxes.find(({ id }) => id === sandbox)
  const options = sandboxes.map((one) => ({
    value: one.id,
    label: `${sandboxName(one.id)} · ${fromText(one, data?.snapshots)} · made ${formatTime(one.createdAt, zone, 'time') ?? ''}`,
  }))
  const isListed = sandbox === null || own !== undefined
  return (
    <section
      aria-label="Sandbox that the lab acts on"
      data-sandbox={sandbox ?? shared}
      className={clsx(
        '@container grid gap-3 rounded-panel border px-4 py-3',
        sandbox === null ? 'bg-surface' : 'border-accent bg-accent-wash/40',
      )}
    >
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
        <SelectField
          label="The lab acts on"
          className="min-w-0 flex-1 basis-64 @3xl:max-w-md"
          options={[
            { value: shared, label: 'Shared sandbox, which all pages show' },
            ...(isListed ? [] : [{ value: sandbox, label: `${sandboxName(sandbox)}${data ? ' · ended' : ''}` }]),
            ...options,
          ]}
          value={sandbox ?? shared}
          onChange={({ target }) => void choose(target.value === shared ? null : target.value)}
        />
        <Button size="large" icon={<Plus />} onClick={() => making.open({})}>
          New sandbox…
        </Button>
        {own && <EndSandbox key={own.id} sandbox={own} onEnded={() => void choose(null)} />}
      </div>
      {own && <OwnSandbox sandbox={own} />}
      {making.opened && (
        <NewSandboxDialog
          key={making.opened.operationId}
          {...making.opened}
          snapshots={data?.snapshots ?? []}
          onMade={(id) => {
            forgetSandboxes(client, environment)
            void choose(id)
          }}
        />
      )}
    </section>
  )
}

function fromText({ from }: Sandbox, snapshots: readonly { id: string; name: string }[] = []): string {
  return from === 'seed' ? 'demo data' : (snapshots.find(({ id }) => id === from)?.name ?? from)
}

/** How to call a sandbox of its own, and until when. */
function OwnSandbox({ sandbox }: { sandbox: Sandbox }) {
  const left = useTicking((nowMs) => durationText(Math.max(0, Date.parse(sandbox.expiresAt) - nowMs)))
  return (
    <FactList
      facts={[
        { label: 'Base URL', value: <IdText id={sandbox.baseUrl} label="base URL" isWhole /> },
        { label: 'Control URL', value: <IdText id={sandbox.controlUrl} label="control URL" isWhole /> },
        { label: 'Access key', value: <IdText id={sandbox.accessKey} label="access key" isWhole /> },
        {
          label: 'Ends',
          value: (
            <>
              <Time instant={sandbox.expiresAt} isZoneShown />
              {left !== null && <span className="text-soft"> · in {left}, with its data</span>}
            </>
          ),
        },
      ]}
    />
  )
}

function EndSandbox({ sandbox: { id }, onEnded }: { sandbox: Sandbox; onEnded: () => void }) {
  const [isOpen, setIsOpen] = useState(false)
  const { perform, isPending, problem, clear } = useLabAction()
  return (
    <>
      <Button
        size="large"
        variant="danger-quiet"
        onClick={() => {
          clear()
          setIsOpen(true)
        }}
      >
        Delete…<span className="sr-only"> {sandboxName(id)}</span>
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        isPending={isPending}
        confirmationLevel="light"
        title={`Delete ${sandboxName(id).toLowerCase()}?`}
        consequence="Its data and its addresses are gone at once. The shared sandbox stays as it is."
        confirmLabel="Delete sandbox"
        cancelLabel="Keep sandbox"
        onConfirm={() =>
          perform('delete-sandbox', { id }, () => {
            setIsOpen(false)
            onEnded()
          })
        }
      >
        <LabProblemText problem={problem} />
      </ConfirmDialog>
    </>
  )
}

/** The lab's panels, anew for each sandbox: what was chosen in one is nothing in another. */
export function InSandbox({ children }: { children: ReactNode }) {
  const { sandbox, choose } = useSandbox()
  const { data } = useRead('listSandboxes')
  if (sandbox !== null && data && !data.sandboxes.some(({ id }) => id === sandbox)) {
    return (
      <Panel>
        <EmptyState
          title={`${sandboxName(sandbox)} has ended`}
          actions={<Button onClick={() => void choose(null)}>Use the shared sandbox</Button>}
        >
          It has expired or was deleted, and its data are gone.
        </EmptyState>
      </Panel>
    )
  }
  return (
    <div key={sandbox ?? shared} className="contents">
      {children}
    </div>
  )
}
