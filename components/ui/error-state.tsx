import { CloudOff, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { IdText } from './id-text.tsx'

export type Failure = {
  title: string
  /** The next step, or the cause. */
  detail?: ReactNode
  requestId?: string | null | undefined
}

/** Shown where content could not be loaded: what happened, that nothing was changed, and a way to try again. */
export function ErrorState({
  failure,
  onRetry,
  isRetrying = false,
}: {
  failure: Failure
  onRetry?: (() => void) | undefined
  isRetrying?: boolean
}) {
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-12 text-center">
      <CloudOff aria-hidden="true" strokeWidth={1.5} className="mb-3 size-6 text-bad" />
      <p className="font-medium">{failure.title}</p>
      {failure.detail !== undefined && <div className="mt-1 max-w-md text-soft text-pretty">{failure.detail}</div>}
      <p className="mt-1 max-w-md text-soft">Nothing was changed. It is safe to try again.</p>
      {failure.requestId && (
        <p className="mt-2 flex items-center gap-1 text-xs text-faint">
          Request <IdText id={failure.requestId} label="request ID" />
        </p>
      )}
      {onRetry && (
        <div className="mt-4">
          <Button icon={<RefreshCw />} isPending={isRetrying} onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}
