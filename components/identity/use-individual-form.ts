'use client'

import { type RefObject, useState } from 'react'
import { errorSentence } from '#components/form/error-sentence.ts'
import type { ActionInput } from '#lib/actions/run-action.ts'
import {
  filesBytes,
  individualIssues,
  individualPaths,
  individualText,
  isDocumentFile,
  longestFilesBytes,
  supportingDocumentTypes,
  type IndividualEntry,
  type IndividualPath,
  type SupportingDocumentType,
} from '#lib/contract/individual-rules.ts'

type Individual = ActionInput<'account.open'>['individual']

export type ChosenFile = { name: string; bytes: number; dataUri: string }
export type ChosenFiles = Partial<Record<SupportingDocumentType, ChosenFile>>

/** A field of the form: `supportingDocuments` is about all files, `file.VISA` about one. */
export type IndividualField = IndividualPath | 'supportingDocuments' | `file.${SupportingDocumentType}`

export type IndividualForm = ReturnType<typeof useIndividualForm>

export const emptyIndividual = Object.fromEntries(individualPaths.map((path) => [path, ''])) as IndividualEntry

/**
 * Entries of an individual, in the memory of the page alone. `refused` are the problems that the server or the service
 * found, by path below `individual`; `onCorrect` is called with the path of a field that changes.
 */
export function useIndividualForm({
  initial = emptyIndividual,
  refused,
  onCorrect,
}: {
  initial?: IndividualEntry
  refused: Readonly<Record<string, string>>
  onCorrect: (path: string) => void
}) {
  const [entry, setEntry] = useState(initial)
  const [files, setFiles] = useState<ChosenFiles>({})
  const [fileProblems, setFileProblems] = useState<Partial<Record<SupportingDocumentType, string>>>({})
  const [flagged, setFlagged] = useState<ReadonlySet<string>>(new Set())
  const documentTypes = supportingDocumentTypes.filter((type) => files[type])
  const issues: Partial<Record<IndividualField, string>> = individualIssues(entry, documentTypes)
  const tooLarge = sizeProblem(Object.values(files))
  if (tooLarge !== null) issues.supportingDocuments ??= tooLarge

  const flag = (fields: readonly string[]) => setFlagged((before) => new Set([...before, ...fields]))

  return {
    entry,
    files,
    documentTypes,
    /** Everything that is wrong, whether it is shown yet or not. */
    issues,
    isEmpty: individualPaths.every((path) => entry[path] === '') && documentTypes.length === 0,
    set(path: IndividualPath, text: string) {
      setEntry((before) => ({ ...before, [path]: text }))
      onCorrect(`individual.${path}`)
    },
    /** Shows the issues of these fields from now on. */
    flag,
    error(field: IndividualField): string | undefined {
      const fromService = findServiceIssue(field, refused, documentTypes)
      if (fromService !== undefined) return fromService
      if (field.startsWith('file.')) return fileProblems[field.slice(5) as SupportingDocumentType]
      // The issues of documents depend on each other: they are shown as soon as one document is chosen.
      return flagged.has(field) || (field === 'supportingDocuments' && documentTypes.length > 0)
        ? issues[field]
        : undefined
    },
    /** Takes a file, or takes it away. A file that cannot be sent is not read. */
    async choose(type: SupportingDocumentType, file: File | null) {
      onCorrect('individual.supportingDocuments')
      const problem = file && (await findFileProblem(file))
      setFileProblems((before) => ({ ...before, [type]: problem ?? undefined }))
      const chosen = file && problem === null ? await readFile(file) : undefined
      setFiles((before) => ({ ...before, [type]: chosen }))
    },
    /** The individual as it is sent. */
    individual(): Individual {
      const text = (path: IndividualPath) => individualText(path, entry[path])
      return {
        firstName: text('firstName'),
        lastName: text('lastName'),
        dateOfBirth: text('dateOfBirth'),
        email: text('email'),
        mobile: text('mobile'),
        occupation: text('occupation'),
        position: text('position'),
        gender: text('gender') as Individual['gender'],
        nationality: text('nationality'),
        address: text('address'),
        document: {
          type: text('document.type') as Individual['document']['type'],
          number: text('document.number'),
          country: text('document.country'),
          expiryDate: text('document.expiryDate'),
        },
        ...(documentTypes.length === 0
          ? {}
          : {
              supportingDocuments: documentTypes.map((documentType) => ({
                documentType,
                file: files[documentType]?.dataUri ?? '',
              })),
            }),
      }
    },
    /** Fills the form with earlier entries. */
    restore(draft: { entry: IndividualEntry; files: ChosenFiles }) {
      setEntry({ ...initial, ...draft.entry })
      setFiles(draft.files)
    },
    forget() {
      setEntry(initial)
      setFiles({})
      setFileProblems({})
      setFlagged(new Set())
    },
  }
}

/** A problem that the server or the service found; a file is named by its position in the request. */
function findServiceIssue(
  field: IndividualField,
  refused: Readonly<Record<string, string>>,
  documentTypes: readonly SupportingDocumentType[],
): string | undefined {
  const index = documentTypes.indexOf(field.slice(5) as SupportingDocumentType)
  const prefix = field.startsWith('file.') ? `individual.supportingDocuments.${index}` : `individual.${field}`
  const found = Object.entries(refused).find(
    ([path]) => path === prefix || (field.startsWith('file.') && path.startsWith(`${prefix}.`)),
  )
  return found && (field.startsWith('file.') ? errorSentence('file', found[1]) : found[1])
}

/** For so many frames the field may still be on its way, or a closing dialog still hold the focus. */
const mostFrames = 60

/** Puts the focus on the first field that is wrong, once its problem is shown. */
export function focusFirstProblem(region: RefObject<HTMLElement | null>, frames = mostFrames): void {
  requestAnimationFrame(() => {
    const field = region.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    field?.focus({ preventScroll: true })
    if (field && document.activeElement === field) field.scrollIntoView({ block: 'center' })
    else if (frames > 0) focusFirstProblem(region, frames - 1)
  })
}

export function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

function sizeProblem(files: readonly (ChosenFile | undefined)[]): string | null {
  const bytes = filesBytes(files.flatMap((file) => (file ? [file.dataUri] : [])))
  return bytes > longestFilesBytes ? `These files have ${sizeText(bytes)}. Use at most 700 KB together.` : null
}

/** Judged before the file is read as a whole: its size, and its first bytes. */
async function findFileProblem(file: File): Promise<string | null> {
  if (file.size === 0) return 'This file is empty.'
  if (file.size > longestFilesBytes) return `This file has ${sizeText(file.size)}. Use at most 700 KB for all files.`
  const start = await readFile(new File([file.slice(0, 64)], file.name, { type: file.type })).catch(() => null)
  if (start === null) return 'This file could not be read.'
  return isDocumentFile(start.dataUri) ? null : 'This is not a JPEG, PNG or PDF file.'
}

async function readFile(file: File): Promise<ChosenFile> {
  const dataUri = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read.')))
    reader.readAsDataURL(file)
  })
  return { name: file.name, bytes: file.size, dataUri }
}
