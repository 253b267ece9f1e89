'use server'

import { withBareFailures } from '#lib/console/desk/bare-failure.ts'
import * as views from '#lib/console/saved-views.ts'
import type { ChangeViewInput, DeleteViewInput, SaveViewInput, ViewResult } from '#lib/console/saved-views.ts'

export async function saveView(input: SaveViewInput): Promise<ViewResult> {
  return withBareFailures(() => views.saveView(input))
}

export async function changeView(input: ChangeViewInput): Promise<ViewResult> {
  return withBareFailures(() => views.changeView(input))
}

export async function deleteView(input: DeleteViewInput): Promise<ViewResult> {
  return withBareFailures(() => views.deleteView(input))
}
