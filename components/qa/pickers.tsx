'use client'

import { useQuery } from '@tanstack/react-query'
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
import { readQuery, type ReadSearch } from '#lib/queries/reads.ts'
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

/** The records of one kind in the sandbox of its own that the lab acts on; nothing where it acts on the shared one. */
export function useSandboxRecords(
  kind: string,
  given: Omit<ReadSearch<'readSandboxRecords'>, 'sandbox' | 'kind'> = {},
  isEnabled = true,
) {
  const environment = useEnvironment()
  const { sandbox, search } = useSandbox()
  return useQuery({
    ...readQuery('readSandboxRecords', environment, { kind, ...search, ...given }),
    enabled: sandbox !== null && isEnabled,
    refetchInterval: false,
  })
}

/** A card account, found by name, external ID, id or the last four digits of a card. */
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
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<ComboboxOption | null>(null)
  const q = useSettled(search.trim())
  const isCardNumber = holdsCardNumber(q)
  const { sandbox } = useSandbox()
  const searched = q === '' ? {} : { q }
  const ofShared = useQuery({
    ...readQuery('listCardAccounts', environment, { pageSize: mostFound, ...searched }),
    enabled: !isCardNumber && sandbox === null,
    refetchInterval: false,
  })
  const own = useSandboxRecords('card-accounts', searched, !isCardNumber)
  const isFetching = ofShared.isFetching || own.isFetching
  const accounts = sandbox === null ? ofShared.data?.rows.map(({ account }) => account) : own.data?.cardAccounts
  const rows = isCardNumber ? [] : (accounts ?? [])
  const ids = takesMany ? idsIn(search) : []
  const pasted = ids.length > 1 && ids.every((id) => id.length >= 8 && /\d/.test(id))
  const found = pasted ? [{ value: search, label: `Add ${ids.length} IDs` }] : withTyped(rows.map(toOption), search)
  const isKnown = chosen === null || chosen.value !== value || found.some((option) => option.value === value)
  return (
    <ComboboxField
      {...field}
      noun="card accounts"
      placeholder="Name, last four digits or ID"
      value={value}
      options={isKnown ? found : [chosen, ...found]}
      onSearch={setSearch}
      nothingFound={
        isCardNumber
          ? 'That looks like a card number. Search by its last four digits.'
          : isFetching || q !== search.trim()
            ? 'Searching…'
            : 'No card accounts match'
      }
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
  const { sandbox } = useSandbox()
  const ofShared = useQuery({
    ...readQuery('readCardAccount', environment, cardAccountId),
    enabled: cardAccountId !== '' && sandbox === null,
  })
  const own = useSandboxRecords('cards', { cardAccountId }, cardAccountId !== '')
  const { data, isFetching, isPlaceholderData } = sandbox === null ? ofShared : own
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
  const { sandbox } = useSandbox()
  const ofShared = useQuery({
    ...readQuery('listTransactions', environment, cardAccountId, { pageSize: mostTransactions }),
    enabled: cardAccountId !== '' && sandbox === null,
  })
  const own = useSandboxRecords('transactions', { cardAccountId }, cardAccountId !== '')
  const { data, isFetching, isPlaceholderData } = sandbox === null ? ofShared : own
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
  const [search, setSearch] = useState('')
  const q = useSettled(search.trim())
  const isCardNumber = holdsCardNumber(q)
  const { sandbox } = useSandbox()
  const searched = q === '' ? {} : { q }
  const ofShared = useQuery({
    ...readQuery('listPayouts', environment, { pageSize: mostFound, ...searched }),
    enabled: !isCardNumber && sandbox === null,
    refetchInterval: false,
  })
  const own = useSandboxRecords('payouts', searched, !isCardNumber)
  const { data, isFetching } = sandbox === null ? ofShared : own
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
      nothingFound={isFetching ? 'Searching…' : 'No payouts match'}
    />
  )
}
