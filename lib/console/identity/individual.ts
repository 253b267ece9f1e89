import 'server-only'
import type { z } from 'zod'
import { individualWith } from '#lib/contract/client-identity.ts'
import { text } from '#lib/contract/fields.ts'
import { filesBytes, isDocumentFile, longestFilesBytes } from '#lib/contract/individual-rules.ts'
import { callService } from '#lib/environments/environments.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Documented = { supportingDocuments?: { file: string }[] | undefined }

/** An individual as a form sends it: occupation and position are codes of the service's own lists, files are pictures or PDFs. */
export const IndividualInput = individualWith({ occupation: text(200), position: text(200) }).superRefine(
  ({ supportingDocuments = [] }: Documented, context) => {
    for (const [index, { file }] of supportingDocuments.entries()) {
      if (isDocumentFile(file)) continue
      const path = ['supportingDocuments', index, 'file']
      context.addIssue({ code: 'custom', path, message: 'must be a JPEG, PNG or PDF file' })
    }
    if (filesBytes(supportingDocuments.map(({ file }) => file)) <= longestFilesBytes) return
    context.addIssue({ code: 'custom', path: ['supportingDocuments'], message: 'must have at most 700 KB together' })
  },
)
export type IndividualInput = z.input<typeof IndividualInput>

type IndividualLists = Record<'occupations' | 'positions', { code: string; name: string }[]>

/** The service's occupations and positions, of which an individual has one each. */
export async function listIndividualLists(environment: Environment): Promise<IndividualLists> {
  const [occupations, positions] = await Promise.all([
    callService(environment, 'listOccupations', {}),
    callService(environment, 'listPositions', {}),
  ])
  return { occupations: named(occupations.response.occupations), positions: named(positions.response.positions) }
}

/** Entries that can be chosen: those with a code. */
function named(list: readonly { code: string | null; name: string | null }[]): { code: string; name: string }[] {
  return list.flatMap(({ code, name }) => (code ? [{ code, name: name || code }] : []))
}
