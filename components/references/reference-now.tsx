import { IdText } from '#components/ui/id-text.tsx'
import type { Reference } from '#lib/console/references/shapes.ts'
import { MetadataList } from './metadata-list.tsx'

/** What is there, as it was read. */
export function ReferenceNow({
  title,
  reference,
}: {
  title: string
  reference: Pick<Reference, 'xid' | 'xmetadata'> | null
}) {
  return (
    <div className="mt-2 rounded-panel border bg-surface p-3 text-ink">
      <p className="font-medium">{title}</p>
      {reference === null ? (
        <p className="text-warn">It could not be read back. The page shows it as soon as it can be read.</p>
      ) : (
        <>
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b py-1.5">
            <span className="text-soft">External id</span>
            <span className="min-w-0 wrap-anywhere">
              {reference.xid ? <IdText id={reference.xid} label="external id" isWhole /> : 'none'}
            </span>
          </div>
          <div className="pt-1.5">
            <MetadataList xmetadata={reference.xmetadata} />
          </div>
        </>
      )}
    </div>
  )
}
