import type { Target } from '../desk/shapes.ts'

/** A job as the audit trail names it. */
export function jobTarget(id: string, title: string): Target {
  return { type: 'bulk-job', id, parentId: null, label: title }
}
