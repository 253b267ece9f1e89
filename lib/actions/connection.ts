'use server'

import * as connection from '#lib/console/connection/read.ts'
import type { RunCheckInput, RunCheckResult } from '#lib/console/connection/read.ts'

export async function runConnectionCheck(input: RunCheckInput): Promise<RunCheckResult> {
  return connection.runConnectionCheck(input)
}
