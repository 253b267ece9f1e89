'use server'

import { withBareFailures } from '#lib/console/desk/bare-failure.ts'
import type { NoteResult } from '#lib/console/notes/shapes.ts'
import type { AddNoteInput, FinishHandoverInput, PinNoteInput } from '#lib/console/notes/write.ts'
import * as notes from '#lib/console/notes/write.ts'

export async function addNote(input: AddNoteInput): Promise<NoteResult> {
  return withBareFailures(() => notes.addNote(input))
}

export async function pinNote(input: PinNoteInput): Promise<NoteResult> {
  return withBareFailures(() => notes.pinNote(input))
}

export async function finishHandover(input: FinishHandoverInput): Promise<NoteResult> {
  return withBareFailures(() => notes.finishHandover(input))
}
