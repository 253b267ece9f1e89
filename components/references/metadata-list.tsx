import { CopyButton } from '#components/ui/id-text.tsx'
import type { Xmetadata } from '#lib/contract/fields.ts'

const longest = 400

/** The client's metadata: an object, a text, a list of texts, or nothing. Always shown as plain text. */
export function MetadataList({ xmetadata }: { xmetadata: Xmetadata | null | undefined }) {
  const rows = metadataRows(xmetadata)
  if (rows.length === 0) return <p className="text-faint">No metadata is set.</p>
  return (
    <dl className="@container divide-y">
      {rows.map(([key, value]) => (
        <div
          key={key}
          className="grid grid-cols-[7.5rem_minmax(0,1fr)] items-baseline gap-x-3 py-1.5 @sm:grid-cols-[9rem_minmax(0,1fr)] @sm:gap-x-4 first:pt-0 last:pb-0"
        >
          <dt className="max-w-full min-w-0 truncate text-soft" title={key}>
            {key}
          </dt>
          <dd className="min-w-0 wrap-anywhere">
            {value.length > longest ? `${value.slice(0, longest)}…` : value}
            {value.length > longest && <CopyButton text={value} label={`the whole of ${key}`} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function metadataRows(xmetadata: Xmetadata | null | undefined): [string, string][] {
  if (xmetadata === null || xmetadata === undefined) return []
  if (typeof xmetadata === 'string') return [['Text', xmetadata]]
  if (Array.isArray(xmetadata)) return xmetadata.map((text, index) => [`Text ${index + 1}`, String(text)])
  return Object.entries(xmetadata).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
}
