import { entryTypeMeaning } from './transaction-labels.ts'

/** Said once per list: what the interface's DEBIT and CREDIT mean. */
export function EntryTypeNote() {
  return <p className="text-xs text-faint">{entryTypeMeaning}</p>
}
