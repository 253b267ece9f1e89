'use client'

import { useQueryClient } from '@tanstack/react-query'
import Link from 'next/link'
import { type FormEvent, useState } from 'react'
import { SelectField } from '#components/form/select-field.tsx'
import { TextArea } from '#components/form/text-area.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { quietLink } from '#components/ui/link-style.ts'
import { simulateIdentity } from '#lib/actions/identity.ts'
import { rejectionReasons } from '#lib/contract/individual-rules.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'

const approve = 'approve'

/** The ids of a list, one a line or parted by commas, each once. */
export function idsIn(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((id) => id !== ''))]
}

type Line = { id: string; text: string }

/** Approves or rejects the identities of one or many accounts, one after the other. */
export function IdentitySimulator({ environment }: { environment: Environment }) {
  const client = useQueryClient()
  const [text, setText] = useState('')
  const [decision, setDecision] = useState<string>(approve)
  const [info, setInfo] = useState('')
  const [lines, setLines] = useState<Line[]>([])
  const [isPending, setIsPending] = useState(false)
  const ids = idsIn(text)

  async function run(event: FormEvent) {
    event.preventDefault()
    if (isPending || ids.length === 0) return
    setIsPending(true)
    setLines([])
    for (const id of ids) {
      const line = { id, text: await decide(id).catch(() => 'Carddesk didn’t respond.') }
      setLines((before) => [...before, line])
    }
    setIsPending(false)
    await client.invalidateQueries({ queryKey: [environment] })
  }

  async function decide(cardAccountId: string): Promise<string> {
    const rejectedReason = rejectionReasons.find((reason) => reason === decision)
    const result = await simulateIdentity({
      environment,
      operationId: crypto.randomUUID(),
      cardAccountId,
      decision: rejectedReason ? 'reject' : 'approve',
      ...(rejectedReason ? { rejectedReason } : {}),
      ...(rejectedReason && info.trim() !== '' ? { rejectionAdditionalInfo: info } : {}),
    })
    if (result.kind === 'invalid') return Object.values(result.fields).join(' ')
    return result.kind === 'settled' ? result.operation.outcome.happened : result.outcome.happened
  }

  return (
    <form className="grid gap-3" onSubmit={(event) => void run(event)}>
      <TextArea
        label="Card account IDs"
        hint="One per line"
        isMono
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <SelectField
        label="Decision"
        options={[
          { value: approve, label: 'Approve' },
          ...rejectionReasons.map((reason) => ({ value: reason, label: `Reject: ${reason}` })),
        ]}
        value={decision}
        onChange={(event) => setDecision(event.target.value)}
      />
      {decision !== approve && (
        <TextField label="Additional info" isOptional value={info} onChange={(event) => setInfo(event.target.value)} />
      )}
      <div>
        <Button
          type="submit"
          variant="primary"
          isPending={isPending}
          {...(ids.length === 0 ? { unavailable: 'Enter an account ID first.' } : {})}
        >
          {decision === approve ? 'Approve' : 'Reject'} {ids.length === 1 ? 'identity' : `${ids.length} identities`}
        </Button>
      </div>
      <output className="empty:hidden">
        {lines.length > 0 && (
          <ul className="divide-y rounded-panel border">
            {lines.map(({ id, text: happened }) => (
              <li key={id} className="flex flex-wrap justify-between gap-x-3 px-3 py-2">
                <Link href={routes.identityCase(environment, id)} prefetch={false} className={quietLink}>
                  <span className="font-mono text-xs">{id}</span>
                </Link>
                <span className="text-soft">{happened}</span>
              </li>
            ))}
          </ul>
        )}
      </output>
    </form>
  )
}
