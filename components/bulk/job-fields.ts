import type { JobSettings } from '#lib/console/bulk/types.ts'

/** The settings of a job, as a kind's fields show and change them. */
export type JobFieldsProps = {
  settings: JobSettings
  /** Currencies of the chosen accounts. */
  currencies: readonly string[]
  errors: Readonly<Record<string, string>>
  onChange: (settings: JobSettings) => void
}
