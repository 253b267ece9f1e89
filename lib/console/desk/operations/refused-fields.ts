import type { OperationRow } from './journal.ts'

/** Fields that a code of the service is about. */
export const fieldsByCode: Record<string, Record<string, string>> = {
  XID_ALREADY_EXISTS: { xid: 'is in use already' },
}

/**
 * Returns the field messages of an operation's error, by their path on the wire: `field: problem; field problem`.
 * Parts that name none of `paths` are left out.
 */
export function refusedFieldsOf(
  { state, code, message }: Pick<OperationRow, 'state' | 'code' | 'message'>,
  paths: readonly string[],
): Record<string, string> {
  if (state !== 'refused') return {}
  const fields: Record<string, string> = {}
  for (const part of (message ?? '').split(/;\s+/)) {
    const [, name = '', problem = ''] = /^([A-Za-z][\w.[\]]*):?\s+(.+)$/s.exec(part.trim()) ?? []
    const path = name.replace(/\[(\d+)\]/g, '.$1')
    const known = paths.findLast((known) => path === known || path.startsWith(`${known}.`))
    if (known !== undefined) fields[known] = fields[known] === undefined ? problem : `${fields[known]}, and ${problem}`
  }
  return { ...fields, ...fieldsByCode[code ?? ''] }
}
