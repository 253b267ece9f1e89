import { count } from './count.ts'

/** Says how many records a list or total leaves out because they could not be read; nothing where it has all of them. */
export function ExcludedNote({ read }: { read: object | undefined }) {
  const excluded = read === undefined ? 0 : excludedOf(read)
  if (excluded <= 0) return null
  return (
    <p className="text-xs text-warn">
      {excluded === 1
        ? '1 record could not be read and is not included.'
        : `${count.format(excluded)} records could not be read and are not included.`}
    </p>
  )
}

/** Lists and totals that are read from the service count the records that they exclude; others have no such figure. */
function excludedOf(read: object): number {
  return 'excluded' in read && typeof read.excluded === 'number' ? read.excluded : 0
}
