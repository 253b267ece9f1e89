'use client'

import { useMemo, useState } from 'react'
import { type ChosenFiles, type IndividualForm, useIndividualForm } from '#components/identity/use-individual-form.ts'
import { draftText, renumbered, type DraftErrors, type XmetadataDraft } from '#components/references/xmetadata-draft.ts'
import type { ActionInput } from '#lib/actions/run-action.ts'
import {
  type IndividualEntry,
  individualPaths,
  phoneProblem,
  phoneText,
  supportingDocumentTypes,
  type SupportingDocumentType,
} from '#lib/contract/individual-rules.ts'
import { limitProblem, plainLimit } from '#lib/contract/limit-text.ts'
import { referenceProblems } from '#lib/contract/xmetadata-rules.ts'

type OpenAccountInput = ActionInput<'account.open'>

export const steps = ['cardholder', 'documents', 'account', 'check'] as const
export type Step = (typeof steps)[number]

const termPaths = ['name', 'phoneNumber', 'accountType', 'currency', 'limit', 'xid', 'xmetadata'] as const
export type TermPath = (typeof termPaths)[number]

const documentPaths = individualPaths.filter((path) => path.startsWith('document.'))

/** The fields of a step, by their path on the wire. */
const fieldsOfStep: Record<Exclude<Step, 'check'>, readonly string[]> = {
  cardholder: individualPaths.filter((path) => !path.startsWith('document.')).map((path) => `individual.${path}`),
  documents: [...documentPaths, 'supportingDocuments'].map((path) => `individual.${path}`),
  account: termPaths,
}

/** Where a field is entered; what no step has is shown where everything is checked. */
export function stepOfField(field: string): Step {
  const found = steps.find((step) => step !== 'check' && fieldsOfStep[step].some((path) => isWithin(field, path)))
  return found ?? 'check'
}

function isWithin(field: string, path: string): boolean {
  return field === path || field.startsWith(`${path}.`)
}

/** `name` and `phoneNumber` are null until they are edited; until then the cardholder's are used. */
type Terms = {
  name: string | null
  phoneNumber: string | null
  accountType: OpenAccountInput['accountType']
  currency: OpenAccountInput['currency']
  limit: string
  xid: string
  /** Null where the account gets no metadata. */
  metadata: XmetadataDraft | null
}

const noTerms: Terms = {
  name: null,
  phoneNumber: null,
  accountType: 'prepaid',
  currency: 'HKD',
  limit: '',
  xid: '',
  metadata: null,
}

/** The form while its page is left: everything in memory, and without files and the document's number in the tab's storage. */
type Entered = { entry: IndividualEntry; files: ChosenFiles; terms: Terms }
type At = { step: Step; furthest: number }
type StoredOpening = Omit<Entered, 'files'> & At & { fileTypes: SupportingDocumentType[] }

export function toStoredOpening({ files, entry, ...draft }: Entered & At): StoredOpening {
  const fileTypes = supportingDocumentTypes.filter((type) => files[type])
  return { ...draft, entry: { ...entry, 'document.number': '' }, fileTypes }
}

export type OpeningForm = ReturnType<typeof useOpeningForm>

/** Everything that is entered for a new account. `refused` are the problems that the server or the service found. */
export function useOpeningForm(refused: Readonly<Record<string, string>>, correct: (path: string) => void) {
  const individual = useIndividualForm({ refused, onCorrect: correct })
  const [terms, setTerms] = useState(noTerms)
  const [flagged, setFlagged] = useState<ReadonlySet<string>>(new Set())
  const [metadataErrors, setMetadataErrors] = useState<DraftErrors>({})
  const [lostFiles, setLostFiles] = useState<readonly SupportingDocumentType[]>([])
  const name = terms.name ?? fullName(individual)
  const phoneNumber = terms.phoneNumber ?? individual.entry.mobile
  const metadata = terms.metadata && draftText(terms.metadata)
  const issues = checkTerms({ ...terms, name, phoneNumber }, metadata && !metadata.ok ? metadata.error : {})
  const all: Record<string, string | undefined> = {
    ...Object.fromEntries(Object.entries(individual.issues).map(([path, wrong]) => [`individual.${path}`, wrong])),
    ...issues,
  }
  /** The problems of the fields of a step, or of all. */
  const listProblems = (step: Step) =>
    Object.entries({ ...refused, ...all }).filter(([path]) => {
      const own = stepOfField(path)
      return own !== 'check' && (step === 'check' || own === step)
    })

  const isEmpty = individual.isEmpty && terms === noTerms
  const { entry, files } = individual

  return {
    individual,
    terms: { ...terms, name, phoneNumber },
    isEmpty,
    /** The entered values; null where the form is empty. */
    draft: useMemo<Entered | null>(() => (isEmpty ? null : { entry, files, terms }), [isEmpty, entry, files, terms]),
    /** Files that were chosen before a reload and have to be chosen again. */
    lostFiles: lostFiles.filter((type) => !files[type]),
    restore(draft: Entered | StoredOpening) {
      individual.restore({ entry: draft.entry, files: 'files' in draft ? draft.files : {} })
      const { metadata } = draft.terms
      setTerms({ ...noTerms, ...draft.terms, metadata: metadata && renumbered(metadata) })
      setLostFiles('fileTypes' in draft ? draft.fileTypes : [])
    },
    listProblems,
    set<Path extends keyof Terms>(path: Path, value: Terms[Path]) {
      setTerms((before) => ({ ...before, [path]: value }))
      setMetadataErrors({})
      correct(path === 'metadata' ? 'xmetadata' : path)
    },
    error(path: TermPath): string | undefined {
      const wrong = refused[path]
      return wrong === undefined ? (flagged.has(path) ? issues[path] : undefined) : wrong
    },
    metadataErrors: {
      ...(flagged.has('xmetadata') && metadata && !metadata.ok ? metadata.error : {}),
      ...metadataErrors,
    },
    setMetadataErrors,
    /** Shows the issues of a step. Returns true where there are none. */
    check(step: Step): boolean {
      const paths = listProblems(step).map(([path]) => path)
      setFlagged((before) => new Set([...before, ...paths]))
      individual.flag(paths.map((path) => path.replace(/^individual\./, '')))
      return paths.length === 0
    },
    flag: (path: TermPath) => setFlagged((before) => new Set([...before, path])),
    /** The request, but for its environment and operation. */
    request(): Omit<OpenAccountInput, 'environment' | 'operationId'> {
      const { accountType, currency, xid } = terms
      return {
        name: name.trim(),
        phoneNumber: phoneText(phoneNumber),
        accountType,
        currency,
        limit: accountType === 'credit' ? plainLimit(terms.limit) : '',
        xid: xid.trim(),
        xmetadata: metadata?.ok ? metadata.value : '',
        individual: individual.individual(),
      }
    },
    forget() {
      individual.forget()
      setTerms(noTerms)
      setFlagged(new Set())
      setLostFiles([])
    },
  }
}

function fullName({ entry }: IndividualForm): string {
  return [entry.firstName, entry.lastName]
    .map((part) => part.trim())
    .filter(Boolean)
    .join(' ')
}

function checkTerms(
  { name, phoneNumber, accountType, currency, limit, xid }: Terms & { name: string; phoneNumber: string },
  metadataErrors: DraftErrors,
): Partial<Record<TermPath, string>> {
  const problems: Partial<Record<TermPath, string | null | undefined>> = {
    name: name.trim() === '' ? 'Enter a name.' : name.length > 200 ? 'Use at most 200 characters.' : null,
    phoneNumber: phoneProblem(phoneText(phoneNumber)),
    limit: accountType === 'credit' ? limitProblem(limit, currency) : null,
    xid: xid.trim() === '' ? null : (xidProblem(xid.trim()) ?? null),
    xmetadata: Object.keys(metadataErrors).length > 0 ? 'Correct the metadata.' : null,
  }
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem))
}

function xidProblem(xid: string): string | undefined {
  return referenceProblems({ xid: { mode: 'replace', text: xid }, xmetadata: { mode: 'keep' } }).xid
}
