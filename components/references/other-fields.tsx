import { Disclosure } from '#components/ui/disclosure.tsx'
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
    <Disclosure title={`Other fields (${others.length})`} isBordered>
      <dl className="divide-y font-mono text-xs">
        {others.map(([name, value]) => (
          <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5">
            <dt className="min-w-0 wrap-anywhere text-soft">{name}</dt>
            <dd className="min-w-0 text-right wrap-anywhere">{otherValueText(value)}</dd>
          </div>
        ))}
      </dl>
    </Disclosure>
  )
}

/** A value as the service sent it: text as it is, anything else as JSON. */
function otherValueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (holdsCardNumber(text)) return 'Hidden: may be a card number'
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
