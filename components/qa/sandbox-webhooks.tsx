'use client'

import { useState } from 'react'
import { useRead } from '#components/environment/use-environment.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { StatusBadge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { codeEntry } from '#components/ui/code-entry.ts'
import { count } from '#components/ui/count.ts'
import { Panel } from '#components/ui/panel.tsx'
import { healthStates } from '#components/webhooks/health-labels.tsx'
import { LabProblemText, useLabAction } from './use-lab.tsx'
import { useSandbox } from './use-sandbox.ts'

/** Labels by a webhook's own status, which is `error` for a suspended one. */
const { created, healthy, unhealthy, suspended } = healthStates
const statuses = { created, healthy, unhealthy, error: suspended }

/** The webhooks of a sandbox of its own; those of the shared one have a page. */
export function SandboxWebhooks() {
  const { search } = useSandbox()
  const query = useRead('listSandboxWebhooks', search)
  const [url, setUrl] = useState('')
  const adding = useLabAction()
  const removing = useLabAction()
  return (
    <Panel title="Webhooks">
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          adding.perform('add-webhook', { url, name: 'QA lab', events: ['*'] }, () => setUrl(''))
        }}
      >
        <TextField
          label="Address of a receiver"
          className="min-w-0 flex-1 basis-48"
          placeholder="http://127.0.0.1:9000/hooks"
          value={url}
          error={adding.problem?.fields.url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <Button type="submit" size="large" isPending={adding.isPending}>
          Add webhook
        </Button>
      </form>
      <LabProblemText problem={adding.problem} fields={['url']} />
      <LabProblemText problem={removing.problem} />
      <WhenRead query={query} what="The webhooks" blocks={['h-12']}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <p className="mt-3 text-soft">A webhook gets every event of this sandbox.</p>
          ) : (
            <ul className="mt-3 divide-y border-t" aria-label="Webhooks">
              {webhooks.map(({ id, url: address, status, queuedMessages }) => (
                <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
                  <span className="min-w-0 flex-1 basis-56 font-mono text-xs wrap-anywhere">{address}</span>
                  {queuedMessages !== null && queuedMessages > 0 && (
                    <span className="text-soft">{count.format(queuedMessages)} waiting</span>
                  )}
                  <StatusBadge {...codeEntry(statuses, status)} />
                  <Button
                    size="small"
                    variant="quiet"
                    isPending={removing.isPending}
                    onClick={() => removing.perform('remove-webhook', { webhookId: id })}
                  >
                    Remove<span className="sr-only"> {address}</span>
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </WhenRead>
    </Panel>
  )
}
