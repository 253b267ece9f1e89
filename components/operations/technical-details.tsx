import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

/** The request's bytes and digests, folded: an operator does not need them to decide. */
export function TechnicalDetails({ children }: { children: ReactNode }) {
  return (
    <details className="group rounded-panel border bg-surface">
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 px-4 font-medium">
        <ChevronRight aria-hidden="true" className="size-4 text-faint group-open:rotate-90" />
        Technical details
      </summary>
      <div className="grid gap-3 border-t p-4">{children}</div>
    </details>
  )
}

/** The exact text of a request: it wraps, and nothing of it is put in order. */
export function RequestText({ call, children }: { call: string; children: ReactNode }) {
  return (
    <>
      <code className="font-mono text-xs wrap-anywhere">{call}</code>
      <pre className="max-h-80 overflow-auto rounded-control border bg-hover/50 p-3 font-mono text-xs/5 wrap-anywhere whitespace-pre-wrap">
        {children}
      </pre>
    </>
  )
}
