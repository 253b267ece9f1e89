'use client'

import { useQueries, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { accountTitle } from '#components/card-accounts/account-labels.ts'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { FilterToggle } from '#components/filters/filter-toggle.tsx'
import { setFilter } from '#components/filters/set-filter.ts'
import { Checkbox } from '#components/form/checkbox.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { Popover } from '#components/ui/popover.tsx'
import { refuseCardNumber } from '#lib/api/search.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { idKey, sameId, shortId } from '#lib/shared/ids.ts'
import { accountIdText } from './account-id.tsx'

const offered = 8

/** Any of several accounts, found by name, external ID, id or the last four digits of a card. */
export function AccountFilter({
  chosen,
  onChange,
}: {
  chosen: readonly string[]
  onChange: (ids: string[] | null) => void
}) {
  const names = useNames(chosen)
  const change = (id: string, isChosen: boolean) => {
    const next = isChosen ? [...chosen, id] : chosen.filter((other) => !sameId(other, id))
    onChange(next.length === 0 ? null : next)
  }
  return (
    <>
      <Popover
        label="Accounts"
        className="w-80 max-w-[calc(100vw-2rem)]"
        triggerClassName={clsx('font-medium', chosen.length > 0 && setFilter)}
        trigger={
          <>
            <span className={clsx('font-normal', chosen.length === 0 && 'text-soft')}>Account</span>
            {chosen.length === 0 ? 'all' : chosen.length}
            <ChevronDown aria-hidden="true" className="size-3.5! opacity-70" />
          </>
        }
      >
        <AccountChoice chosen={chosen} onChange={change} />
      </Popover>
      {chosen.map((id) => (
        <FilterToggle
          key={id}
          label={names.get(idKey(id)) ?? `Account ${shortId(id)}`}
          isOn
          onChange={() => change(id, false)}
        />
      ))}
    </>
  )
}

function AccountChoice({
  chosen,
  onChange,
}: {
  chosen: readonly string[]
  onChange: (id: string, isChosen: boolean) => void
}) {
  const environment = useEnvironment()
  const [text, setText] = useState('')
  const q = useDeferredValue(text.trim())
  const fieldError = refuseCardNumber(q, 'Search for its last four digits instead.')
  const { data, error } = useQuery({
    ...readQuery('listCardAccounts', environment, { q, pageSize: offered }),
    enabled: fieldError === undefined,
    refetchInterval: false,
  })
  const rows = fieldError !== undefined ? [] : (data?.rows ?? [])
  const isForeign = fieldError === undefined && looksLikeId(q) && !rows.some(({ account }) => sameId(account.id, q))
  return (
    <div className="grid gap-2">
      <TextField
        label="Find an account"
        placeholder="Name, external ID, last four digits"
        value={text}
        maxLength={200}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        error={fieldError}
      />
      <ul aria-label="Accounts found" className="grid gap-1">
        {rows.map(({ account }) => (
          <li key={account.id}>
            <Checkbox
              label={<span className="wrap-anywhere">{accountTitle(account)}</span>}
              hint={[account.xid, account.currency, shortId(account.id)].filter(Boolean).join(' · ')}
              checked={chosen.some((id) => sameId(id, account.id))}
              onChange={(event) => onChange(account.id, event.target.checked)}
            />
          </li>
        ))}
        {isForeign && (
          <li>
            <Checkbox
              label={`The account with the id ${shortId(q)}`}
              hint="Not a card account in Carddesk."
              checked={chosen.some((id) => sameId(id, q))}
              onChange={(event) => onChange(q, event.target.checked)}
            />
          </li>
        )}
      </ul>
      <output className="text-xs text-faint">
        {error !== null && data === undefined && 'The accounts could not be read.'}
        {data !== undefined && rows.length === 0 && !isForeign && fieldError === undefined && 'No account matches.'}
        {data !== undefined && data.matching > rows.length && rows.length > 0 && `${rows.length} of ${data.matching}`}
      </output>
    </div>
  )
}

/** Ids of the service are opaque: a text without spaces that is long enough and has a digit may be one. */
function looksLikeId(text: string): boolean {
  return /^[^\s]{8,200}$/.test(text) && /\d/.test(text)
}

/** The names of accounts that an address may name without their being on the page. */
function useNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const environment = useEnvironment()
  const found = useQueries({
    queries: ids.map((id) => ({
      ...readQuery('listCardAccounts', environment, { q: id, pageSize: 1 }),
      refetchInterval: false as const,
    })),
  })
  return new Map(
    found.flatMap(
      ({ data }) =>
        data?.rows.map(
          ({ account }) => [idKey(account.id), `${accountTitle(account)} · ${accountIdText(account)}`] as const,
        ) ?? [],
    ),
  )
}
