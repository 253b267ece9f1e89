import { formatCount } from './count.ts'

/** Says how many records a list or total leaves out because they could not be read; nothing where it has all of them. */
export function ExcludedNote({ read: { excluded = 0, unmatched = 0 } = {} }: { read: ReadCounts | undefined }) {
  if (excluded <= 0 && unmatched <= 0) return null
  return (
    <p className="text-xs text-warn">
      {[
        excluded > 0 &&
          `${formatCount(excluded, 'record could not be read and is', 'records could not be read and are')} not included.`,
        unmatched > 0 &&
          `The card service ignores a filter: ${formatCount(unmatched, 'record of others is', 'records of others are')} left out.`,
      ]
        .filter(Boolean)
        .join(' ')}
    </p>
  )
}

/** Lists and totals that are read from the service count the records that they exclude; others have no such figure. */
type ReadCounts = { excluded?: number; unmatched?: number }
