import { ChevronRight } from 'lucide-react'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'

const longest = 400

/**
 * The fields of a record that the interface does not name, folded away and as the service sent them. A value that may hold
 * a card number is not shown. Renders nothing where there are none.
 */
export function OtherFields({ fields = {} }: { fields: Readonly<Record<string, unknown>> | undefined }) {
  const others = Object.entries(fields)
  if (others.length === 0) return null
  return (
    <details className="group/other mt-3 border-t pt-2.5">
      <summary className="inline-flex min-h-6 items-center gap-1 rounded-chip text-xs text-soft hover:text-ink">
        <ChevronRight aria-hidden="true" className="size-3.5 transition-transform group-open/other:rotate-90" />
        Other fields ({others.length})
      </summary>
      <dl className="mt-2 divide-y font-mono text-xs">
        {others.map(([name, value]) => (
          <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5">
            <dt className="min-w-0 wrap-anywhere text-soft">{name}</dt>
            <dd className="min-w-0 text-right wrap-anywhere">{otherValueText(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** A value as the service sent it: text as it is, anything else as JSON. */
function otherValueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (holdsCardNumber(text)) return 'Hidden: may be a card number'
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
