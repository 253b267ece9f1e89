import 'server-only'
import { requireService, type Accepted } from '#lib/environments/environments.ts'
import type { Fields } from '#lib/gate/action.ts'
import { isAppError } from '#lib/shared/app-error.ts'
import { logFailure } from '#lib/shared/log.ts'
import type { OperationRow } from './journal.ts'
import { findSpec } from './registry.ts'
import { unreadable, type Confirmation } from './spec.ts'

/** A record may show a change a moment after the response: it is read again after these pauses. */
const readBackPausesMs = [200, 600, 1500, 2000]

/** Reads back what an operation was about. Never throws: what cannot be read is `unreadable`. */
export async function confirm(row: OperationRow, sent: Fields, accepted: Accepted | null): Promise<Confirmation> {
  const spec = findSpec(row.kind)
  if (!spec) return unreadable(null)
  const found = await spec.readBack(row, sent, accepted).catch((error: unknown) => {
    if (!isAppError(error)) logFailure(error, { while: 'reading back an operation', operation: row.id })
    // The error's message is about the reading: “nothing was sent” would be taken as said of the operation.
    return unreadable(null)
  })
  const isForResponse = found.verdict === 'unreadable' && !found.isResponseWrong
  return isForResponse && accepted && spec.isShownBy(row, sent, accepted)
    ? { ...found, verdict: 'done', detail: null, resultId: found.resultId ?? accepted.resultId }
    : found
}

/** Reads again where the record does not show yet what the response promised, or what a lost attempt may have changed. */
export async function confirmWithPauses(
  row: OperationRow,
  sent: Fields,
  accepted: Accepted | null,
  isChangeExpected: boolean,
): Promise<Confirmation> {
  for (const pauseMs of isChangeExpected ? readBackPausesMs : []) {
    const readBack = await confirm(row, sent, accepted)
    if (readBack.verdict !== 'not-done') return readBack
    await requireService(row.environment).pause(pauseMs)
  }
  return confirm(row, sent, accepted)
}
