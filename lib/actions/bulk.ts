'use server'

import type { BulkControlInput } from '#lib/console/bulk/control.ts'
import * as bulk from '#lib/console/bulk/control.ts'
import type { BulkControlResult } from '#lib/console/bulk/shapes.ts'
import { withBareFailures } from '#lib/console/desk/bare-failure.ts'

export async function pauseBulkJob(input: BulkControlInput): Promise<BulkControlResult> {
  return withBareFailures(() => bulk.pauseBulkJob(input))
}

export async function resumeBulkJob(input: BulkControlInput): Promise<BulkControlResult> {
  return withBareFailures(() => bulk.resumeBulkJob(input))
}

export async function cancelBulkJob(input: BulkControlInput): Promise<BulkControlResult> {
  return withBareFailures(() => bulk.cancelBulkJob(input))
}
