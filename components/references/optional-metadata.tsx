import { clsx } from 'clsx'
import { Plus, Trash2 } from 'lucide-react'
import { Button } from '#components/ui/button.tsx'
import { type DraftErrors, toXmetadataDraft, type XmetadataDraft } from './xmetadata-draft.ts'
import { XmetadataEditor } from './xmetadata-editor.tsx'

/** Metadata of a record that is created: none until a person adds it. `error` is about the whole. */
export function OptionalMetadata({
  draft,
  errors,
  error,
  onChange,
  onRefused,
  className,
}: {
  draft: XmetadataDraft | null
  errors: DraftErrors
  error?: string | undefined
  onChange: (draft: XmetadataDraft | null) => void
  /** Entries that do not fit another editor: their issues. */
  onRefused: (errors: DraftErrors) => void
  className?: string
}) {
  return (
    <fieldset tabIndex={-1} data-field="xmetadata" className={clsx('grid min-w-0 gap-3 outline-none', className)}>
      <legend className="mb-1 text-soft">
        Metadata <span className="text-faint">(optional)</span>
      </legend>
      {draft === null ? (
        <div>
          <Button size="small" icon={<Plus aria-hidden="true" />} onClick={() => onChange(toXmetadataDraft(null))}>
            Add metadata
          </Button>
        </div>
      ) : (
        <>
          <XmetadataEditor draft={draft} errors={errors} onChange={onChange} onRefused={onRefused} />
          <div>
            <Button size="small" icon={<Trash2 aria-hidden="true" />} onClick={() => onChange(null)}>
              Remove metadata
            </Button>
          </div>
        </>
      )}
      {error && (
        <p role="alert" className="text-xs text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )
}
