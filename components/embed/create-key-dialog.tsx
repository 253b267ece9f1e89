'use client'

import { type FormEvent, useId, useState } from 'react'
import { TextField } from '#components/form/text-field.tsx'
import { useAction } from '#components/operations/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { createEmbedKey } from '#lib/actions/console.ts'
import type { Environment } from '#lib/shared/routes.ts'

/** Creates a key and shows it once. */
export function CreateKeyDialog({
  environment,
  isOpen,
  onClose,
}: {
  environment: Environment
  isOpen: boolean
  onClose: () => void
}) {
  const formId = useId()
  const { isPending, problem, errors, run } = useAction(environment, 'embed')
  const [secret, setSecret] = useState<string | null>(null)

  async function create(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name') ?? '')
    const created = await run(() => createEmbedKey({ environment, name }))
    if (created) setSecret(created.secret)
  }

  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      isLocked={isPending}
      title={secret === null ? 'Create a key?' : 'Copy the key now'}
      description={
        secret === null
          ? `A help desk’s server creates tokens for ${environment} with it.`
          : 'It isn’t shown again. Store it on the help desk’s server.'
      }
      footer={
        secret === null ? (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" type="submit" form={formId} isPending={isPending}>
              Create key
            </Button>
          </>
        ) : (
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        )
      }
    >
      {secret === null ? (
        <form id={formId} className="grid gap-4" onSubmit={(event) => void create(event)}>
          <TextField
            label="Name"
            name="name"
            hint="The help desk, such as Zendesk"
            maxLength={80}
            error={errors.name && `The name ${errors.name}.`}
          />
          {problem && (
            <Callout tone="bad" title="Couldn’t create the key." isAlert>
              {problem.happened}
            </Callout>
          )}
        </form>
      ) : (
        <Callout tone="good" isAlert>
          <IdText id={secret} label="key" isWhole className="font-mono text-xs" />
        </Callout>
      )}
    </Dialog>
  )
}
