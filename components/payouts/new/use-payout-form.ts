'use client'

import { useQueryStates } from 'nuqs'
import { type RefObject, useEffect, useState } from 'react'
import {
  type DraftErrors,
  metadataErrors,
  metadataText,
  type XmetadataDraft,
} from '#components/references/xmetadata-draft.ts'
import type { PayoutToRepeat } from '#lib/console/payouts/types.ts'
import { detailIssues, entryIssues } from '#lib/contract/payout-entry.ts'
import type { Account } from '#lib/contract/records.ts'
import { sameId } from '#lib/shared/ids.ts'
import { choiceNotes } from './choice-notes.ts'
import {
  choiceParams,
  toChoices,
  type Choices,
  detailPaths,
  toPayoutDetails,
  emptyDraft,
  toPayoutEntry,
  fitDraft,
  fitRepeated,
  isEmptyDraft,
} from './draft.ts'
import { shownErrors, validatedPaths } from './form-errors.ts'
import { fieldNoun } from './labels.ts'
import { useAddressPinyin } from './use-address-pinyin.ts'

export type PayoutForm = ReturnType<typeof usePayoutForm>

/** The state of the form: choices in the URL, the draft only in this screen, and the problem of each field. */
export function usePayoutForm(
  element: RefObject<HTMLFormElement | null>,
  accounts: readonly Account[] | undefined,
  onEdited: () => void,
  repeated: PayoutToRepeat | null = null,
) {
  const [params, setParams] = useQueryStates(choiceParams, { history: 'replace' })
  const choices = toChoices(params)
  const [copied] = useState(() => (repeated ? fitRepeated(choices, repeated) : { draft: emptyDraft, cleared: [] }))
  const [draft, setDraft] = useState(copied.draft)
  const [flagged, setFlagged] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<Record<string, string>>({})
  const [notes, setNotes] = useState(() => choiceNotes(choices, choices, {}, copied.cleared))
  const [metadata, setMetadata] = useState<XmetadataDraft | null>(null)
  const [metadataProblems, setMetadataProblems] = useState<DraftErrors>({})
  const [wantsFocus, setWantsFocus] = useState(0)

  const account = accounts?.find(({ id }) => sameId(id, params.account)) ?? accounts?.[0]
  const sourceCurrency = account?.currency ?? ''
  // The account isn't the one that the amount is of: that is not listed any more, or the payout to repeat debited another.
  const [enteredCurrency, setEnteredCurrency] = useState(repeated?.sourceCurrency ?? '')
  if (sourceCurrency !== '' && sourceCurrency !== enteredCurrency) {
    setEnteredCurrency(sourceCurrency)
    if (enteredCurrency !== '') fitToAccount(enteredCurrency, sourceCurrency)
  }
  const entry = toPayoutEntry(choices, draft, sourceCurrency)
  const addressInPinyin = useAddressPinyin(entry.destination.address)
  const amountPath = `${choices.side}Amount`
  const details = toPayoutDetails(draft, metadata)
  const wrong: Record<string, string> = {
    ...entryIssues(entry, addressInPinyin),
    ...(accounts && !account ? { accountId: 'must be chosen' } : {}),
    ...detailIssues(details),
    ...(metadataText(metadata) === null ? { xmetadata: 'must be corrected' } : {}),
  }
  const errors = shownErrors(entry, { wrong, flagged, refused })
  const toFill = [...shownErrors(entry, { wrong, flagged: new Set(Object.keys(wrong)), refused: {} }).keys()].filter(
    (path) => (draft[path === amountPath ? 'amount' : path] ?? '').trim() === '' && path !== 'accountId',
  )

  useEffect(() => {
    if (wantsFocus > 0) goTo(element.current, '[aria-invalid="true"]')
  }, [wantsFocus, element])

  // Entries typed before hydration are only in the fields.
  useEffect(() => {
    const typed = [...(element.current?.querySelectorAll<HTMLInputElement>('input[data-field]:not([role])') ?? [])]
      .map(
        (input) =>
          [(input.dataset.field ?? '').replace(/^(?:source|destination)Amount$/, 'amount'), input.value] as const,
      )
      .filter(([, value]) => value !== '')
    if (typed.length > 0) queueMicrotask(() => setDraft((before) => ({ ...before, ...Object.fromEntries(typed) })))
  }, [element])

  function clearRefused(paths: readonly string[]) {
    setRefused((before) => Object.fromEntries(Object.entries(before).filter(([path]) => !paths.includes(path))))
  }

  function fitToAccount(before: string, after: string) {
    const fitted = fitDraft({ ...choices, sourceCurrency: before }, { ...choices, sourceCurrency: after }, draft)
    if (fitted.cleared.length === 0) return
    setDraft(fitted.draft)
    setNotes(choiceNotes(choices, choices, {}, fitted.cleared))
  }

  const goToFirst = () => setWantsFocus((times) => times + 1)

  return {
    accounts,
    account,
    choices,
    draft,
    entry,
    details,
    metadata: {
      draft: metadata,
      errors: { ...(flagged.has('xmetadata') ? metadataErrors(metadata) : {}), ...metadataProblems },
      onRefused: setMetadataProblems,
      onChange(changed: XmetadataDraft | null) {
        setMetadata(changed)
        setMetadataProblems({})
        clearRefused(['xmetadata'])
      },
    },
    errors,
    /** The empty fields that have to be filled in, in the order of the form. */
    toFill,
    addressInPinyin,
    isRefused: Object.keys(refused).length > 0,
    notes,
    amountPath,
    isDirty: !isEmptyDraft(draft) || metadata !== null,
    set(path: string, text: string) {
      setDraft((before) => ({ ...before, [path]: text }))
      clearRefused([path, ...(path === 'amount' ? ['sourceAmount', 'destinationAmount'] : [])])
      if (!detailPaths.includes(path)) onEdited()
    },
    /** The same amount written differently: the quote stays valid. */
    rewriteAmount(text: string) {
      setDraft((before) => ({ ...before, amount: text }))
    },
    choose(requested: Partial<Choices>) {
      const after = toChoices({ ...choices, ...requested, fix: requested.side ?? choices.side })
      const fitted = fitDraft({ ...choices, sourceCurrency }, { ...after, sourceCurrency }, draft)
      setDraft(fitted.draft)
      setNotes(choiceNotes(choices, after, requested, fitted.cleared))
      setRefused({})
      const { method, country, currency, side } = after
      void setParams({ method, country: country || null, currency: currency || null, fix: side })
      onEdited()
    },
    chooseAccount(id: string) {
      const next = accounts?.find((candidate) => candidate.id === id)
      if (!next) return
      const fitted = fitDraft(
        { ...choices, sourceCurrency },
        { ...choices, sourceCurrency: next.currency ?? '' },
        draft,
      )
      setDraft(fitted.draft)
      setNotes(choiceNotes(choices, choices, {}, fitted.cleared))
      clearRefused(['accountId', 'sourceCurrency', 'sourceAmount'])
      void setParams({ account: id })
      onEdited()
    },
    /** Switches to entering the other of the two amounts, starting with its known value. */
    giveSide(side: Choices['side'], amount: string) {
      const isLost = amount === '' && draft.amount !== ''
      setNotes(
        isLost ? [`Cleared: ${fieldNoun(amountPath, choices.method)}. It comes with the quote from now on.`] : [],
      )
      setDraft((before) => ({ ...before, amount }))
      clearRefused(['sourceAmount', 'destinationAmount'])
      void setParams({ fix: side })
      onEdited()
    },
    /**
     * Validates the form: all of it, or what the service's validation takes. Returns true where every rule holds; otherwise each
     * field shows its issue and the first has the focus.
     */
    isRight(step: 'quote' | 'validation' = 'quote'): boolean {
      const paths = Object.keys(wrong)
      const judged = step === 'quote' ? paths : validatedPaths(entry, paths)
      setFlagged(new Set(judged))
      if (judged.length === 0) return true
      goToFirst()
      return false
    },
    /** Shows the service's messages at their fields. `goThere`: no dialog covers them. */
    refuse(found: Record<string, string>, goThere: boolean) {
      setRefused(found)
      if (goThere) goToFirst()
    },
    goTo: (path: string) => goTo(element.current, `[data-field="${path}"]`),
    forget() {
      setDraft(emptyDraft)
      setMetadata(null)
      setMetadataProblems({})
      setFlagged(new Set())
      setRefused({})
      setNotes([])
    },
  }
}

/** Puts the focus on a field, in the middle of the window: nothing that sticks there covers it. */
function goTo(form: HTMLFormElement | null, selector: string): void {
  const field = form?.querySelector<HTMLElement>(selector)
  field?.focus({ preventScroll: true })
  field?.scrollIntoView({ block: 'center' })
}
