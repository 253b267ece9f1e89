import type { ReactNode } from 'react'

/** Facts with their labels, as the dialogs and the details of a fee show them. */
export function FeeFacts({ facts }: { facts: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className="divide-y rounded-panel border">
      {facts.map(({ label, value }) => (
        <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4 px-3 py-2">
          <dt className="text-soft">{label}</dt>
          <dd className="min-w-0 text-right">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
