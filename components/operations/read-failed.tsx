import type { ReactNode } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'

/** In a dialog: its content could not be read. `children` say why. */
export function ReadFailed({
  title,
  isRetrying,
  onRetry,
  children,
}: {
  title: string
  isRetrying: boolean
  onRetry: () => void
  children: ReactNode
}) {
  return (
    <Callout
      tone="bad"
      title={title}
      isAlert
      actions={
        <Button isPending={isRetrying} onClick={onRetry}>
          Read again
        </Button>
      }
    >
      {children} Nothing was changed.
    </Callout>
  )
}
