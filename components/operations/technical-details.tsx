import type { ReactNode } from 'react'
import { Disclosure } from '#components/ui/disclosure.tsx'

/** The request's bytes and digests, folded: an operator does not need them to decide. */
export function TechnicalDetails({ children }: { children: ReactNode }) {
  return (
    <div className="rounded-panel border bg-surface px-4 py-2.5">
      <Disclosure title={<span className="font-medium">Technical details</span>} tone="ink" isWide>
        <div className="grid gap-3 pb-1.5">{children}</div>
      </Disclosure>
    </div>
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
