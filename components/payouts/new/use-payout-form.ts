'use client'

import { useQueryStates } from 'nuqs'
import { type RefObject, useEffect, useState, useMemo } from 'react'
import {
  type DraftErrors,
  metadataErrors,
  metadataText,
  type XmetadataDraft,
} from '#components/references/xmetadata-draft.ts'
import { countryLabel } from '#lib/contract/country-names.ts'
import { beneficiaryPaths, detailIssues, entryIssues } from '#lib/contract/payout-entry.ts'
import { hasChinese } from '#lib/contract/payout-rules.ts'
import type { Account } from '#lib/contract/records.ts'
import { sameId } from '#lib/shared/ids.ts'
import { listed } from '#lib/shared/texts.ts'
import {
  choiceParams,
  toChoices,
  type Choices,
  detailPaths,
  toPayoutDetails,
  emptyDraft,
  toPayoutEntry,
  fitDraft,
  isEmptyDraft,
  type Draft,
} from './draft.ts'
import { fieldNoun, problemSentence } from './labels.ts'

const payoutsBy = { BANK_TRANSFER: 'bank transfers', NETWORK_CARD: 'card payouts' } as const

/** Other fields that changed with a choice, in sentences: selected again, to be selected, removed. */
export function choiceNotes(
  before: Choices,
  after: Choices,
  requested: Partial<Choices>,
  cleared: readonly string[],
): string[] {
  const notes: string[] = []
  if (requested.country === undefined && before.country !== '' && after.country !== before.country) {
    notes.push(
      after.country === ''
        ? `Choose a country again: ${payoutsBy[after.method]} do not reach ${countryLabel(before.country)}.`
        : `The country is now ${countryLabel(after.country)}, the only one that ${payoutsBy[after.method]} reach.`,
    )
  }
  if (requested.currency === undefined && before.currency !== '' && after.currency !== before.currency) {
    notes.push(
      after.currency === ''
        ? `Choose a currency again: it was ${before.currency}.`
        : `The currency is now ${after.currency}, the only one for ${countryLabel(after.country)}.`,
    )
  }
  if (cleared.length > 0) {
    const nouns = cleared.map((path) => fieldNoun(path, before.method))
    notes.push(`Cleared, since ${cleared.length === 1 ? 'it does' : 'they do'} not fit any more: ${listed(nouns)}.`)
  }
  return notes
}

const laterPaths = ['accountId', 'sourceCurrency', ...detailPaths]

export type PayoutForm = ReturnType<typeof usePayoutForm>

/** The state of the form: choices in the URL, the draft only in this screen, and the problem of each field. */
export function usePayoutForm(
  element: RefObject<HTMLFormElement | null>,
  accounts: readonly Account[] | undefined,
  onEdited: () => void,
  initial: Draft = {},
) {
  const [params, setParams] = useQueryStates(choiceParams, { history: 'replace' })
  const [draft, setDraft] = useState<Draft>({ ...emptyDraft, ...initial })
  const [flagged, setFlagged] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<Record<string, string>>({})
  const [notes, setNotes] = useState<string[]>([])
  const [metadata, setMetadata] = useState<XmetadataDraft | null>(null)
  const [metadataProblems, setMetadataProblems] = useState<DraftErrors>({})
  const [wantsFocus, setWantsFocus] = useState(0)

  const account = accounts?.find(({ id }) => sameId(id, params.account)) ?? accounts?.[0]
  const sourceCurrency = account?.currency ?? ''
  const choices = toChoices(params)
  const entry = toPayoutEntry(choices, draft, sourceCurrency)
  const addressInPinyin = useAddressPinyin(entry.destination.address)
  const amountPath = `${choices.side}Amount`
  const order = [
    'destinationCountry',
    'destinationCurrency',
    ...beneficiaryPaths(entry),
    'accountId',
    amountPath,
    ...detailPaths,
  ]

  const details = toPayoutDetails(draft, metadata)
  const judged: Record<string, string> = {
    ...entryIssues(entry, addressInPinyin),
    ...(accounts && !account ? { accountId: 'must be chosen' } : {}),
    ...detailIssues(details),
    ...(metadataText(metadata) === null ? { xmetadata: 'must be corrected' } : {}),
  }
  const messages: Record<string, string> = {
    ...refused,
    ...Object.fromEntries(Object.entries(judged).filter(([path]) => flagged.has(path))),
  }
  const errors = new Map(
    [...order, ...Object.keys(messages).filter((path) => !order.includes(path))].flatMap((path) => {
      const message = messages[path]
      return message === undefined ? [] : [[path, problemSentence(path, message, choices.method)] as const]
    }),
  )

  /** Input of the service's validation: an amount may come later. */
  function isValidated(path: string): boolean {
    return !laterPaths.includes(path) && (path !== amountPath || (draft.amount ?? '').trim() !== '')
  }

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
      const wrong = Object.keys(judged).filter((path) => step === 'quote' || isValidated(path))
      setFlagged(new Set(wrong))
      if (wrong.length === 0) return true
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

type Convert = (address: string) => string

/** An address with Chinese characters as it is sent, in pinyin. Null for any other, and until the dictionary is loaded. */
function useAddressPinyin(address: string): string | null {
  const [convert, setConvert] = useState<Convert | null>(null)
  const isWanted = hasChinese(address)

  useEffect(() => {
    if (!isWanted || convert) return
    let isStale = false
    // The dictionary is large: it comes with the first Chinese character.
    const load = async () => {
      const { addressInPinyin } = await import('#lib/contract/pinyin.ts')
      if (!isStale) setConvert(() => addressInPinyin)
    }
    load().catch(() => undefined)
    return () => {
      isStale = true
    }
  }, [isWanted, convert])

  return useMemo(() => (isWanted && convert ? convert(address) : null), [address, isWanted, convert])
}
