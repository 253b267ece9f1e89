'use client'

import { useQuery } from '@tanstack/react-query'
import { AppWindow, SquareArrowOutUpRight } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { buttonStyle } from '#components/ui/button-style.ts'
import { Button } from '#components/ui/button.tsx'
import { readQuery } from '#lib/queries/reads.ts'
import type { EmbedObject } from '#lib/shared/embed-objects.ts'

const EmbedDialog = lazy(() => import('./embed-dialog.tsx').then((file) => ({ default: file.EmbedDialog })))

/** Embeds the object's view into a help desk; in a demo it also opens the demo's help desk with it. */
export function EmbedButton({ object }: { object: EmbedObject }) {
  const { may } = usePermissions(object.environment)
  const [opened, setOpened] = useState<{ key: number; isOpen: boolean }>({ key: 0, isOpen: false })
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
      <Button
        icon={<AppWindow aria-hidden="true" />}
        onClick={() => setOpened(({ key }) => ({ key: key + 1, isOpen: true }))}
      >
        Embed…
      </Button>
      {opened.key > 0 && hosts && (
        <Suspense fallback={null}>
          <EmbedDialog
            key={opened.key}
            object={object}
            hosts={hosts}
            isOpen={opened.isOpen}
            onClose={() => setOpened({ ...opened, isOpen: false })}
          />
        </Suspense>
      )}
    </>
  )
}

function previewHref(helpDesk: string, { environment, type, id, cardAccountId }: EmbedObject): string {
  const search = new URLSearchParams({ environment, type, id, ...(cardAccountId === null ? {} : { cardAccountId }) })
  return `${helpDesk}/?${search}`
}
