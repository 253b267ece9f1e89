'use client'

import { Copy } from 'lucide-react'
import { useState } from 'react'
import { errorSentences } from '#components/form/error-sentence.ts'
import { toOptions } from '#components/form/options.ts'
import { SelectField } from '#components/form/select-field.tsx'
import { TextArea } from '#components/form/text-area.tsx'
import { useAction } from '#components/operations/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { Dialog, type DialogProps } from '#components/ui/dialog.tsx'
import { Time } from '#components/ui/time.tsx'
import type { EmbedObject, EmbedType } from '#lib/api/embed-view.ts'
import type { EmbedHosts } from '#lib/console/embed/types.ts'
import { escapeHtml } from '#lib/shared/texts.ts'

const nouns: Record<EmbedType, string> = {
  customer: 'customer',
  'card-account': 'card account',
  card: 'card',
  transaction: 'transaction',
  payout: 'payout',
}

/** The code is shown where the browser did not let it be copied. */
type Created = { code: string; expiresAt: string; isCopied: boolean }

/** Creates a token for one host and copies the HTML that shows the view there. */
export function EmbedDialog({
  object,
  hosts: { consoleUrl, origins },
  ...dialog
}: DialogProps & { object: EmbedObject; hosts: EmbedHosts }) {
  const [origin, setOrigin] = useState(origins[0] ?? '')
  const { isPending, problem, errors, run } = useAction()
  const [created, setCreated] = useState<Created | null>(null)
  const noun = nouns[object.type]
  const failure = problem?.happened ?? errorSentences(errors)

  async function copy() {
    setCreated(null)
    const result = await run('createEmbedToken', { ...object, origin })
    if (!result) return
    const code = embedCode(consoleUrl, object, result.token)
    const isCopied = await navigator.clipboard.writeText(code).then(
      () => true,
      () => false,
    )
    setCreated({ code, expiresAt: result.expiresAt, isCopied })
  }

  return (
    <Dialog
      {...dialog}
      isLocked={isPending}
      title={`Embed this ${noun}?`}
      description="A page of the host can show it for 10 minutes, read-only and masked."
      footer={
        <>
          <Button onClick={dialog.onClose}>{created ? 'Close' : 'Cancel'}</Button>
          <Button
            variant="primary"
            icon={<Copy aria-hidden="true" />}
            isPending={isPending}
            unavailable={origins.length === 0 ? 'No host is allowed yet' : undefined}
            onClick={() => void copy()}
          >
            {created ? 'Copy new code' : 'Copy embed code'}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {origins.length > 0 ? (
          <SelectField
            label="Host"
            name="origin"
            value={origin}
            disabled={isPending}
            onChange={(event) => {
              setOrigin(event.target.value)
              setCreated(null)
            }}
            options={toOptions(origins)}
            hint="The only site that can show this view"
          />
        ) : (
          <Callout tone="info">Set EMBED_ALLOWED_ORIGINS to the hosts that may show Carddesk views.</Callout>
        )}
        {failure !== '' && (
          <Callout tone="bad" title="Couldn’t create the embed code." isAlert>
            {failure}
          </Callout>
        )}
        {created && (
          <>
            <Callout tone="good" title={created.isCopied ? 'Embed code copied.' : 'Copy the embed code.'} isAlert>
              It works until <Time instant={created.expiresAt} format="time" isZoneShown />. Saved in the audit log.
            </Callout>
            {!created.isCopied && <TextArea label="Embed code" value={created.code} readOnly isMono rows={4} />}
          </>
        )}
      </div>
    </Dialog>
  )
}

/** The HTML that shows the view on a host's page: the token is an attribute, and in no URL. */
export function embedCode(consoleUrl: string, { environment, type, id }: EmbedObject, token: string): string {
  const attributes = Object.entries({ environment, type, id, token })
    .map(([name, value]) => `${name}="${escapeHtml(value)}"`)
    .join(' ')
  return `<script src="${escapeHtml(consoleUrl)}/embed.js" defer></script>\n<carddesk-view ${attributes}></carddesk-view>`
}
