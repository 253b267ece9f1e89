'use client'

import { type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { accountTitle } from '#components/card-accounts/account-labels.ts'
import { cardStatusEntry } from '#components/cards/card-status.ts'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { ComboboxField, type ComboboxOption, findOptions } from '#components/form/combobox-field.tsx'
import type { FieldProps } from '#components/form/field.tsx'
import { transactionStatusEntry, transactionTitle } from '#components/transactions/transaction-labels.ts'
import { useSettled } from '#components/ui/use-settled.ts'
import type { CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import { readQuery, type ReadResult, type ReadSearch } from '#lib/queries/reads.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { moneyText } from '#lib/shared/currency.ts'
import { idsIn } from './simulators.ts'
import { useSandbox } from './use-sandbox.ts'

type PickerProps = FieldProps & { value: string; onChoose: (value: string) => void }

const mostFound = 8
const mostTransactions = 50

/** Adds an option for a typed id that was not found. */
export function withTyped(found: readonly ComboboxOption[], typed: string): ComboboxOption[] {
  const [id = '', ...more] = idsIn(typed)
  const isId = more.length === 0 && id.length >= 8 && /\d/.test(id) && !holdsCardNumber(id)
  return isId && !found.some(({ value }) => value === id)
    ? [...found, { value: id, label: 'Use this ID', note: id }]
    : [...found]
}

/**
 * The records of a kind in the sandbox that the lab acts on. `shared` reads them where that is the one that the console's pages show; one of
 * its own is asked itself.
 */
export function useLabRecords<Read, Data, Key extends QueryKey>(
  kind: string,
  shared: UseQueryOptions<Read, Error, Data, Key>,
  given: Omit<ReadSearch<'readSandboxRecords'>, 'sandbox' | 'kind'> = {},
  isEnabled = true,
) {
  const environment = useEnvironment()
  const { sandbox, search } = useSandbox()
  const isShared = sandbox === null
  const ofShared = useQuery({ ...shared, enabled: isEnabled && isShared, refetchInterval: false })
  const own = useQuery({
    ...readQuery('readSandboxRecords', environment, { kind, ...search, ...given }),
    enabled: isEnabled && !isShared,
    refetchInterval: false,
  })
  return isShared ? ofShared : own
}

/** The text that is searched for, and what a picker says where nothing was found. A card number is never sent. */
function useRecordSearch(noun: string, cardNumberAdvice: string) {
  const [search, setSearch] = useState('')
  const q = useSettled(search.trim())
  const isCardNumber = holdsCardNumber(q)
  return {
    search,
    setSearch,
    searched: q === '' || isCardNumber ? {} : { q },
    isCardNumber,
    nothingFound: (isFetching: boolean) => {
      if (isCardNumber) return `That looks like a card number. ${cardNumberAdvice}`
      return isFetching || q !== search.trim() ? 'Searching…' : `No ${noun} match`
    },
  }
}

/** A card account, found by name, external ID or id, in the shared sandbox also by the last four digits of a card. */
export function AccountPicker({
  value,
  onChoose,
  takesMany = false,
  ...field
}: Omit<PickerProps, 'onChoose'> & {
  /** `account` is null for an id that was typed. */
  onChoose: (value: string, account: CardAccount | null) => void
  /** Several pasted ids are chosen at once. */
  takesMany?: boolean
}) {
  const environment = useEnvironment()
  const [chosen, setChosen] = useState<ComboboxOption | null>(null)
  const findsCards = useSandbox().sandbox === null
  const { search, setSearch, searched, isCardNumber, nothingFound } = useRecordSearch(
    'card accounts',
    findsCards ? 'Search by its last four digits.' : 'Search by the name of its account.',
  )
  const shared = {
    ...readQuery('listCardAccounts', environment, { pageSize: mostFound, ...searched }),
    select: ({ rows }: ReadResult<'listCardAccounts'>) => ({ cardAccounts: rows.map(({ account }) => account) }),
  }
  const { data, isFetching } = useLabRecords('card-accounts', shared, searched, !isCardNumber)
  const rows = isCardNumber ? [] : (data?.cardAccounts ?? [])
  const ids = takesMany ? idsIn(search) : []
  const pasted = ids.length > 1 && ids.every((id) => id.length >= 8 && /\d/.test(id))
  const found = pasted ? [{ value: search, label: `Add ${ids.length} IDs` }] : withTyped(rows.map(toOption), search)
  const isKnown = chosen === null || chosen.value !== value || found.some((option) => option.value === value)
  return (
    <ComboboxField
      {...field}
      noun="card accounts"
      placeholder={findsCards ? 'Name, last four digits or ID' : 'Name or ID'}
      value={value}
      options={isKnown ? found : [chosen, ...found]}
      onSearch={setSearch}
      nothingFound={nothingFound(isFetching)}
      onChoose={(next) => {
        setChosen(found.find((option) => option.value === next) ?? null)
        onChoose(next, rows.find(({ id }) => id === next) ?? null)
      }}
    />
  )
}

/** A chosen card account; its label is its id where that was typed. */
export type ChosenAccount = { id: string; label: string }

/** One or many card accounts. */
export function AccountsPicker({
  accounts,
  onChange,
  ...field
}: FieldProps & { accounts: readonly ChosenAccount[]; onChange: (accounts: readonly ChosenAccount[]) => void }) {
  return (
    <div className="grid gap-2">
      <AccountPicker
        {...field}
        hint="Add one or many; a list of IDs can be pasted."
        value=""
        onChoose={(value, account) => {
          const added = account
            ? [{ id: account.id, label: accountTitle(account) }]
            : idsIn(value).map((id) => ({ id, label: id }))
          onChange([...accounts, ...added.filter(({ id }) => !accounts.some((one) => one.id === id))])
        }}
        takesMany
      />
      {accounts.length > 0 && (
        <ul aria-label="Selected accounts" className="flex flex-wrap gap-1.5">
          {accounts.map(({ id, label }) => (
            <li key={id} className="flex min-w-0 items-center gap-1 rounded-chip border bg-canvas pl-2 text-xs">
              <span className="truncate">{label}</span>
              <button
                type="button"
                className="rounded-chip p-1 text-faint hover:text-ink"
                onClick={() => onChange(accounts.filter((one) => one.id !== id))}
              >
                <X aria-hidden="true" className="size-3.5" />
                <span className="sr-only">Remove {label}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function toOption(account: CardAccount): ComboboxOption {
  const note = account.xid ?? account.currency
  return { value: account.id, label: accountTitle(account), ...(note ? { note } : {}) }
}

/** A card of an account. */
export function CardPicker({ cardAccountId, ...field }: PickerProps & { cardAccountId: string }) {
  const environment = useEnvironment()
  const { data, isFetching, isPlaceholderData } = useLabRecords(
    'cards',
    readQuery('readCardAccount', environment, cardAccountId),
    { cardAccountId },
    cardAccountId !== '',
  )
  const options = (isPlaceholderData ? [] : (data?.cards ?? [])).map(({ id, last4, status, embossedName }) => ({
    value: id,
    label: [last4 ? `•••• ${last4}` : null, embossedName].filter(Boolean).join(' · ') || id,
    note: cardStatusEntry(status).label,
  }))
  return <ListPicker {...field} {...{ cardAccountId, isFetching, options }} noun="cards" />
}

/** One of the newest transactions of an account. */
export function TransactionPicker({ cardAccountId, ...field }: PickerProps & { cardAccountId: string }) {
  const environment = useEnvironment()
  const { data, isFetching, isPlaceholderData } = useLabRecords(
    'transactions',
    readQuery('listTransactions', environment, cardAccountId, { pageSize: mostTransactions }),
    { cardAccountId },
    cardAccountId !== '',
  )
  const options = (isPlaceholderData ? [] : (data?.transactions ?? [])).map(transactionOption)
  return <ListPicker {...field} {...{ cardAccountId, isFetching, options }} noun="transactions" />
}

function transactionOption(transaction: CardAccountTransaction): ComboboxOption {
  const { id, amount, currency, status } = transaction
  return {
    value: id,
    label: [transactionTitle(transaction), moneyText(amount, currency)].filter(Boolean).join(' · '),
    note: transactionStatusEntry(status).label,
  }
}

/** A choice among records of the account that was chosen before, or a typed id. */
function ListPicker({
  cardAccountId,
  isFetching,
  options,
  noun,
  ...field
}: PickerProps & {
  cardAccountId: string
  isFetching: boolean
  options: readonly ComboboxOption[]
  noun: string
}) {
  const [search, setSearch] = useState('')
  const [only] = options.length === 1 ? options : []
  const { value, onChoose, isOptional = false } = field
  useEffect(() => {
    if (only && value === '' && !isOptional) onChoose(only.value)
  }, [only, value, isOptional, onChoose])
  const hint = cardAccountId === '' ? 'Select an account first' : isFetching ? 'Loading…' : `No ${noun}`
  const found = withTyped(findOptions(options, search), search)
  return (
    <ComboboxField
      {...field}
      noun={noun}
      placeholder={options.length > 0 ? `Search ${noun}` : hint}
      options={
        found.some(({ value }) => value === field.value)
          ? found
          : [...options.filter(({ value }) => value === field.value), ...found]
      }
      onSearch={setSearch}
      nothingFound={options.length > 0 ? `No ${noun} match` : hint}
    />
  )
}

/** A payout, found by its id, external ID or beneficiary. */
export function PayoutPicker(field: PickerProps) {
  const environment = useEnvironment()
  const { search, setSearch, searched, isCardNumber, nothingFound } = useRecordSearch(
    'payouts',
    'Search by the beneficiary.',
  )
  const shared = readQuery('listPayouts', environment, { pageSize: mostFound, ...searched })
  const { data, isFetching } = useLabRecords('payouts', shared, searched, !isCardNumber)
  const payouts = isCardNumber ? [] : (data?.payouts ?? [])
  const options = payouts.map(({ id, destination, sourceAmount, sourceCurrency, status }) => ({
    value: id,
    label: [destination?.accountHolderName ?? 'Unnamed beneficiary', moneyText(sourceAmount, sourceCurrency)]
      .filter(Boolean)
      .join(' · '),
    ...(status ? { note: status } : {}),
  }))
  return (
    <ComboboxField
      {...field}
      noun="payouts"
      placeholder="Beneficiary or ID"
      options={withTyped(options, search)}
      onSearch={setSearch}
      nothingFound={nothingFound(isFetching)}
    />
  )
}
