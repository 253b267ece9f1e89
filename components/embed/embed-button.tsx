'use client'

import { useQuery } from '@tanstack/react-query'
import { AppWindow, SquareArrowOutUpRight } from 'lucide-react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { buttonStyle } from '#components/ui/button-style.ts'
import { Button } from '#components/ui/button.tsx'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import type { EmbedObject } from '#lib/api/embed-view.ts'
import { readQuery } from '#lib/queries/reads.ts'

const EmbedDialog = lazyDialog(() => import('./embed-dialog.tsx').then((file) => file.EmbedDialog))

/** Embeds the object's view into a help desk; in a demo it also opens the demo's help desk with it. */
export function EmbedButton({
  type,
  id,
  cardAccountId = null,
}: Pick<EmbedObject, 'type' | 'id'> & Partial<Pick<EmbedObject, 'cardAccountId'>>) {
  const object: EmbedObject = { environment: useEnvironment(), type, id, cardAccountId }
  const { may } = usePermissions()
  const { open, opened } = useOpened()
  const isAllowed = may.has('embeds.create')
  const { data: hosts } = useQuery({ ...readQuery('readEmbedHosts', object.environment), enabled: isAllowed })
  if (!isAllowed) return null
  return (
    <>
      {hosts?.helpDesk && (
        <a
          href={previewHref(hosts.helpDesk, object)}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonStyle({ variant: 'quiet', className: 'max-sm:order-last' })}
        >
          <SquareArrowOutUpRight aria-hidden="true" />
          Preview embedded view
        </a>
      )}
      <Button icon={<AppWindow aria-hidden="true" />} onClick={() => open({})}>
        Embed…
      </Button>
      {opened && hosts && <EmbedDialog key={opened.operationId} object={object} hosts={hosts} {...opened} />}
    </>
  )
}

function previewHref(helpDesk: string, { environment, type, id, cardAccountId }: EmbedObject): string {
  const search = new URLSearchParams({ environment, type, id, ...(cardAccountId === null ? {} : { cardAccountId }) })
  return `${helpDesk}/?${search}`
}
