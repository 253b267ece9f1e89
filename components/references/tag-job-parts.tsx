import type { JobFieldsProps } from '#components/bulk/job-fields.ts'
import { useRead } from '#components/environment/use-environment.ts'
import { TextField } from '#components/form/text-field.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { formatCount } from '#components/ui/count.ts'
import type { JobPreview } from '#lib/console/bulk/types.ts'

/** The key and the value of a tag. The keys that accounts have are suggested. */
export function TagFields({ settings, errors, onChange }: JobFieldsProps) {
  const { key = '', value = '' } = settings
  const { data } = useRead('listMetadataKeys')
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="Key"
        name="key"
        list="tag-keys"
        maxLength={256}
        value={key}
        onChange={(event) => onChange({ ...settings, key: event.target.value })}
        error={errors.key}
      />
      <datalist id="tag-keys">
        {data?.keys.map((known) => (
          <option key={known.key}>{known.key}</option>
        ))}
      </datalist>
      <TextField
        label="Value"
        name="value"
        maxLength={256}
        value={value}
        onChange={(event) => onChange({ ...settings, value: event.target.value })}
        error={errors.value}
      />
    </div>
  )
}

/** Values that the tag replaces. */
export function TagEffects({ preview: { effect, settings } }: { preview: JobPreview }) {
  const { replaced = 0 } = effect
  const noun = settings.targetType === 'card' ? 'card' : 'account'
  if (replaced === 0) return null
  return (
    <Callout
      tone="warn"
      title={`${formatCount(replaced, noun)} ${replaced === 1 ? 'has' : 'have'} another value of this key now.`}
    >
      It is replaced.
    </Callout>
  )
}
