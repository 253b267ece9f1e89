'use server'

import type { OpenAccountInput } from '#lib/console/card-accounts/operations.ts'
import { act } from '#lib/console/desk/operations/act.ts'
import type { ActionResult } from '#lib/console/desk/shapes.ts'
import type { CardAccount } from '#lib/contract/records.ts'

export async function openAccount(input: OpenAccountInput): Promise<ActionResult<CardAccount>> {
  return act('account.open', input)
}
