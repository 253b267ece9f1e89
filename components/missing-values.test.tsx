import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { PathnameContext, SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import type { ReactElement, ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { CardAccountList } from '#lib/console/card-accounts/list.ts'
import type {
  AggregateBalances,
  BalanceExplanation as Explanation,
  CardAccountDetail,
} from '#lib/console/card-accounts/types.ts'
import type { CardDetail } from '#lib/console/cards/types.ts'
import type { FeeDetail, FeeRow } from '#lib/console/fees/types.ts'
import type { IdentityCase, IdentityList } from '#lib/console/identity/types.ts'
import { parseStoredPayout } from '#lib/console/payouts/payout-record.ts'
import type { PayoutRecord } from '#lib/console/payouts/types.ts'
import { explainDecline } from '#lib/console/transactions/explain-decline.ts'
import type { TransactionDetail } from '#lib/console/transactions/types.ts'
import { Account as AccountSchema, AccountTransaction as AccountTransactionSchema } from '#lib/contract/accounts.ts'
import { BankInfo as BankInfoSchema } from '#lib/contract/banks.ts'
import { CardAccount as CardAccountSchema } from '#lib/contract/card-accounts.ts'
import { Card as CardSchema } from '#lib/contract/cards.ts'
import { MaskedIndividual } from '#lib/contract/client-identity.ts'
import { FeeEntry as FeeEntrySchema } from '#lib/contract/fees.ts'
import type {
  Account,
  AccountTransaction,
  Card,
  CardAccount,
  CardAccountTransaction,
  FeeEntry,
  ReceivedResponse,
} from '#lib/contract/records.ts'
import { CardAccountTransaction as TransactionSchema } from '#lib/contract/transactions.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { BankByWireCode, BanksByCountry } from './banks/banks-screen.tsx'
import { AccountListScreen } from './card-accounts/account-list-screen.tsx'
import { AccountScreen } from './card-accounts/account-screen.tsx'
import { BalanceNamedEntries, BalanceNotes } from './card-accounts/balance-breakdown.tsx'
import { balanceSentence } from './card-accounts/balance-sentence.ts'
import { BalanceWaterfall } from './card-accounts/balance-waterfall.tsx'
import { cardAccountList, toCardAccountSearch } from './card-accounts/filter-params.ts'
import { PendingCharges } from './cards/card-action-dialog.tsx'
import { CardScreen } from './cards/card-screen.tsx'
import { declinedFilters, pendingFilters, usageFilters } from './cards/card-usage.ts'
import { EnvironmentProvider } from './environment/use-environment.ts'
import { FeeFacts } from './fees/fee-drawer.tsx'
import { FeesScreen } from './fees/fees-screen.tsx'
import { waiverRows } from './fees/waive-dialog.tsx'
import { EntryDetail } from './funding-accounts/entry-drawer.tsx'
import { FundingAccountsScreen } from './funding-accounts/funding-accounts-screen.tsx'
import { IdentityCaseScreen } from './identity/identity-case-screen.tsx'
import { IdentityListScreen } from './identity/identity-list-screen.tsx'
import { LimitChange } from './limits/set-limit-dialog.tsx'
import { CardsByStatus, OverviewScreen } from './overview/overview-screen.tsx'
import { ProgramTotals } from './overview/program-totals.tsx'
import { PayoutScreen } from './payouts/detail/payout-screen.tsx'
import { payoutColumns } from './payouts/list/payout-list-screen.tsx'
import { TransactionScreen } from './transactions/transaction-screen.tsx'
import { FactList } from './ui/fact-list.tsx'
import { hktZone } from './ui/time-format.ts'

const environment = 'sandbox'
const serviceAt = '2026-11-20T02:00:00.000Z'
const freshness = {
  asOf: serviceAt,
  source: 'service' as const,
  health: {
    connected: true as const,
    isSigned: true,
    state: 'online' as const,
    since: null,
    lastResponseAt: serviceAt,
    unreachableSince: null,
    lastProblem: null,
    endpoints: [],
  },
}
const page = { prevPageToken: null, nextPageToken: null }

const noTotals = { balance: null, outstanding: null, available: null, disputeAmount: null }

type Shape = { shape: Record<string, unknown> }

/** A record of which the service provided the id alone, and the fields given here. */
function bare<Fields>(schema: Shape, fields: NoInfer<Partial<Fields>>): Fields {
  const names = Object.keys(schema.shape)
  return { ...Object.fromEntries(names.map((name) => [name, null])), id: 'id-ABC-1', ...fields } as Fields
}

/** The records of one program: with nothing but ids, or with codes that the contract does not name. */
type Records = {
  account: CardAccount
  card: Card
  transaction: CardAccountTransaction
  fee: FeeEntry
  funding: Account
  entry: AccountTransaction
  payout: PayoutRecord
  bank: ReceivedResponse<'getBank'>
}

const empty: Records = {
  account: bare(CardAccountSchema, {}),
  card: bare(CardSchema, {}),
  transaction: bare(TransactionSchema, {}),
  fee: bare(FeeEntrySchema, {}),
  funding: bare(AccountSchema, {}),
  entry: bare(AccountTransactionSchema, {}),
  payout: parseStoredPayout({ id: 'id-ABC-1' }),
  bank: bare(BankInfoSchema, {}),
}

const nested = { authorization: {}, merchant: {} }
const nulls = (names: string[]) => Object.fromEntries(names.map((name) => [name, null]))

const otherFields = { loyaltyTier: 'gold-x', pan: '4242424242424242' }

const unknown: Records = {
  account: bare(CardAccountSchema, {
    accountType: 'charge-x',
    clientIdentityStatus: 'escalated-x',
    currency: 'XTS',
    otherFields,
  }),
  card: bare(CardSchema, { status: 'frozen-x', network: 'network-x' as never, otherFields }),
  transaction: bare(TransactionSchema, {
    status: 'settling-x',
    intent: 'gift-x',
    entryType: 'HOLD-X' as never,
    disputeStatus: 'appealed-x',
    amount: 400.4,
    otherFields,
    ...nested,
    authorization: nulls(['id', 'currency', 'amount', 'createdAt', 'type', 'responseCode', 'cardPresent']) as never,
    merchant: nulls(['name', 'mcc', 'category', 'country']) as never,
  }),
  fee: bare(FeeEntrySchema, {
    status: 'on-hold-x',
    intent: 'moon-tax-x',
    amount: 5,
    otherFields,
    transaction: bare(TransactionSchema, { entryType: 'HOLD-X' as never }),
  }),
  funding: bare(AccountSchema, { currency: 'XTS' }),
  entry: bare(AccountTransactionSchema, { status: 'queued-x', intent: 'sweep-x', otherFields }),
  payout: parseStoredPayout({
    id: 'id-ABC-1',
    status: 'parked-x',
    subStatus: 'ORDER_ON_MOON',
    method: 'PIGEON',
    otherFields,
  }),
  bank: bare(BankInfoSchema, { countryCode: 'ZZ', otherFields }),
}

function explanationOf({ account, transaction }: Records): Explanation {
  const nothing = { stated: null, expected: null, difference: null }
  return {
    account,
    lines: [],
    uncounted: [],
    unknown: [],
    unreadable: 1,
    excluded: 3,
    posted: '0.1',
    pending: '0.1',
    pendingTaken: '0.1',
    carriedForward: null,
    available: nothing,
    outstanding: nothing,
    disputed: nothing,
    pendingEntries: [transaction],
    disputedEntries: [transaction],
    entries: 1,
    earliestAt: null,
    isWhole: true,
    isSteady: true,
    freshness,
  } as unknown as Explanation
}

/** What the console has read of these records, as the browser's cache holds it. */
function clientOf({ account, card, transaction, fee, funding, entry, payout, bank }: Records): QueryClient {
  const client = new QueryClient()
  const history = {
    entries: [],
    origin: null,
    isReportedLost: false,
    rail: [{ status: card.status, reached: true, isNow: true, at: null, notAfter: null, by: null }],
    current: { status: card.status, since: null, by: null, reason: null, operationId: null, act: null },
    underlyingStatus: null,
  }
  const filters = toCardAccountSearch(cardAccountList.load(''), null, hktZone)
  const list = {
    rows: [
      {
        account,
        cards: null,
        group: null,
        lastActivityAt: null,
        disputedSince: null,
        disputeMayBeOlder: false,
        waitingLimits: [],
        asOf: serviceAt,
      },
    ],
    first: 1,
    last: 1,
    matching: 1,
    totals: [{ ...noTotals, currency: 'XTS', accounts: 1, excluded: 1 }],
    totalsExcluded: 1,
    coverage: { accounts: 1, accountsWithCards: 1, isComplete: true, isReading: false, asOf: serviceAt, excluded: 2 },
    health: freshness.health,
    ...page,
  } as unknown as CardAccountList
  const transactions = { transactions: [transaction], freshness, ...page }
  const feeRow: FeeRow = { fee, account: null, change: null }
  const set = (query: { queryKey: readonly unknown[] }, data: unknown) => client.setQueryData(query.queryKey, data)
  set(readQuery('listCardAccounts', environment, filters), list)
  set(readQuery('readOverview', environment), {
    totals: list.totals,
    totalsExcluded: 1,
    aggregateValue: null,
    cardsByStatus: [{ status: card.status ?? 'active', cards: 1 }],
    cardsExcluded: 1,
    identitiesExcluded: account.clientIdentityStatus === null ? 43 : 0,
    attention: [],
    isAttentionComplete: true,
    lowFunding: [],
    coverage: list.coverage,
    health: freshness.health,
  })
  set(readQuery('readAggregateBalances', environment, {}), {
    groupKey: null,
    reportingCurrency: 'USD',
    isFiltered: false,
    ratesAt: null,
    currencies: [],
    balances: [
      {
        group: null,
        currency: null,
        balance: null,
        value: null,
        outstanding: null,
        outstandingValue: null,
        available: null,
        availableValue: null,
        lacking: 0,
      },
    ],
    excluded: 0,
    freshness,
  } satisfies AggregateBalances)
  set(readQuery('readCardAccount', environment, account.id), {
    account,
    cards: [card],
    cardsExcluded: 0,
    hasMoreCards: false,
    cardsProblem: null,
    waiting: [],
    waitingLimits: [],
    rejectedReason: null,
    freshness,
  } satisfies CardAccountDetail)
  set(readQuery('listIdentities', environment, { status: 'rejected' }), {
    ...(account.clientIdentityStatus === null
      ? { rows: [], first: 0, last: 0, matching: 0, counts: [{ status: null, accounts: 43 }] }
      : {
          rows: [
            {
              account,
              cards: null,
              group: null,
              lastActivityAt: null,
              disputedSince: null,
              disputeMayBeOlder: false,
              rejectedReason: 'reason-x',
              asOf: serviceAt,
            },
          ],
          first: 1,
          last: 1,
          matching: 1,
          counts: [{ status: account.clientIdentityStatus, accounts: 1 }],
        }),
    reasons: [{ reason: 'reason-x', accounts: 1 }],
    coverage: list.coverage,
    health: freshness.health,
    ...page,
  } satisfies IdentityList)
  set(readQuery('readIdentityCase', environment, account.id), {
    account,
    identity: {
      cardAccountId: null,
      status: account.clientIdentityStatus,
      rejectedReason: null,
      rejectionAdditionalInfo: null,
      individual: bare(MaskedIndividual, {}),
    },
    history: [{ kind: 'submitted', at: null, rejectedReason: null, source: 'record', event: null, by: null }],
    freshness,
  } satisfies IdentityCase)
  set(readQuery('readCard', environment, account.id, card.id), {
    card,
    account,
    history,
    replacements: { replacedBy: null, replaces: null, underWay: null, waitsFor: null, notIssued: null },
    waiting: [],
    serviceAt,
    freshness,
  } as CardDetail)
  for (const one of [{}, { cardId: card.id }])
    set(readQuery('listTransactions', environment, account.id, one), transactions)
  set(
    readQuery('listTransactions', environment, account.id, usageFilters(card.id, Date.parse(serviceAt))),
    transactions,
  )
  set(readQuery('listTransactions', environment, account.id, declinedFilters(card.id)), transactions)
  set(readQuery('listTransactions', environment, account.id, pendingFilters(card.id)), transactions)
  set(readQuery('readTransaction', environment, account.id, transaction.id), {
    transaction,
    account,
    fee,
    decline: {
      explanation: explainDecline({
        transaction,
        card,
        account,
        charges: { atDecline: { entries: [], isWhole: false }, now: { entries: [], isWhole: false } },
        now: new Date(serviceAt),
        rule: 'unknown',
      }),
      card,
      account,
    },
    related: { entries: [{ ...transaction, relation: 'refund', basis: 'amount' }], isWhole: true },
    timeline: [
      {
        kind: 'recorded',
        at: null,
        known: 'record',
        isAtLatest: false,
        status: null,
        eventId: null,
        relatedId: null,
        by: null,
      },
    ],
    missing: [],
    freshness,
  } satisfies TransactionDetail)
  set(readQuery('listFees', environment, {}), {
    fees: [feeRow],
    totals: { matching: 1, currencies: [] },
    choices: { intents: [], currencies: [] },
    coverage: list.coverage,
    ...page,
  })
  set(readQuery('listFundingAccounts', environment), { accounts: [funding, { ...funding, id: 'id-ABC-2' }], freshness })
  set(readQuery('listLedger', environment, {}), {
    transactions: [{ ...entry, key: 'id-ABC-1' }],
    totals: { matching: 1, currencies: [] },
    choices: { intents: [], statuses: [], currencies: [] },
    coverage: list.coverage,
    ...page,
  })
  set(readQuery('readPayout', environment, payout.id), {
    payout,
    timeline: { stops: [{ status: payout.status, at: null, isNow: true }], entries: [] },
    fundingAccountName: null,
    submitted: null,
    freshness,
  })
  set(readQuery('readBank', environment, { wireCode: 'HSBCHKHH' }), { bank, freshness })
  set(readQuery('listPayoutBanks', environment, 'HK'), {
    countryCode: 'HK',
    banks: [{ code: null, name: null }],
    freshness,
  })
  return client
}

const screens: [name: string, element: (records: Records) => ReactNode][] = [
  ['overview', () => <OverviewScreen />],
  ['account list', () => <AccountListScreen />],
  ['identity queue', () => <IdentityListScreen />],
  ['identity', ({ account }) => <IdentityCaseScreen cardAccountId={account.id} />],
  ['account', ({ account }) => <AccountScreen cardAccountId={account.id} />],
  [
    'balance explanation',
    (records) => (
      <>
        {balanceSentence(explanationOf(records))}
        <BalanceNotes explained={explanationOf(records)} />
        <BalanceWaterfall explained={explanationOf(records)} />
        <BalanceNamedEntries
          cardAccountId="id-ABC-1"
          title="Pending"
          none="Nothing"
          meaning="In the balance"
          entries={explanationOf(records).pendingEntries}
        />
      </>
    ),
  ],
  ['card', ({ account, card }) => <CardScreen cardAccountId={account.id} cardId={card.id} />],
  [
    'pending charges',
    ({ account, card }) => <PendingCharges cardAccountId={account.id} cardId={card.id} currency={account.currency} />,
  ],
  [
    'transaction',
    ({ account, transaction }) => <TransactionScreen cardAccountId={account.id} transactionId={transaction.id} />,
  ],
  ['fees', () => <FeesScreen />],
  [
    'fee',
    ({ fee }) => {
      const detail = { fee, account: null, change: null, balance: null, freshness } as unknown as FeeDetail
      return (
        <>
          <FeeFacts detail={detail} />
          <FactList facts={waiverRows(detail)} />
        </>
      )
    },
  ],
  ['limit', ({ account }) => <LimitChange before={account} after={account} />],
  ['funding accounts', () => <FundingAccountsScreen />],
  ['ledger entry', ({ entry }) => <EntryDetail entry={entry} />],
  ['payout', ({ payout }) => <PayoutScreen payoutId={payout.id} />],
  [
    'payout list',
    ({ payout }) =>
      payoutColumns.map(({ id, cell, below }) => (
        <div key={id}>
          {cell(payout)} {below?.(payout)}
        </div>
      )),
  ],
  ['bank', () => <BankByWireCode wireCode="HSBCHKHH" onLookUp={() => undefined} />],
  ['banks', () => <BanksByCountry country="HK" q="" onCountry={() => undefined} onSearch={() => undefined} />],
]

function htmlOf(element: ReactNode, records: Records): string {
  const tree: ReactElement = (
    <AppRouterContext value={{} as never}>
      <PathnameContext value="/sandbox">
        <EnvironmentProvider value={environment}>
          <SearchParamsContext value={new URLSearchParams()}>
            <NuqsTestingAdapter>
              <QueryClientProvider client={clientOf(records)}>{element}</QueryClientProvider>
            </NuqsTestingAdapter>
          </SearchParamsContext>
        </EnvironmentProvider>
      </PathnameContext>
    </AppRouterContext>
  )
  return renderToString(tree).replaceAll('<!-- -->', '')
}

/** What a person reads: the text and the attributes that are read out or lead somewhere. */
function readable(html: string): string {
  const attributes = [...html.matchAll(/\s(?:title|aria-label|href|placeholder|value)="([^"]*)"/g)].map(
    ([, text]) => text,
  )
  return [html.replaceAll(/<[^>]+>/g, ' '), ...attributes].join('\n').replaceAll(/[^\S\n]+/g, ' ')
}

const wrong = /NaN|\bundefined\b|\bnull\b|Invalid|1970|(?<![\d,.])[-−+]?0\.00|\[object/

test.each(screens)('%s: a record with only its id shows "not provided"', (_name, element) => {
  const text = readable(htmlOf(element(empty), empty))
  expect(text).not.toMatch(wrong)
  expect(text).toMatch(/not provided|didn’t provide/i)
})

const shownFields = ['loyaltyTier', 'gold-x']

const codes: Record<string, string[]> = {
  overview: ['frozen-x'],
  'account list': ['charge-x', 'escalated-x'],
  account: ['charge-x', 'escalated-x', 'frozen-x', 'settling-x', 'HOLD-X', 'appealed-x', ...shownFields],
  card: ['frozen-x', 'network-x', 'settling-x', ...shownFields],
  transaction: ['settling-x', 'gift-x', 'HOLD-X', 'appealed-x', ...shownFields],
  fees: ['on-hold-x', 'moon-tax-x', 'HOLD-X'],
  fee: ['on-hold-x', 'moon-tax-x', 'HOLD-X', ...shownFields],
  'funding accounts': ['queued-x', 'sweep-x'],
  'ledger entry': ['queued-x', 'sweep-x', ...shownFields],
  payout: ['parked-x', 'ORDER_ON_MOON', 'PIGEON', ...shownFields],
  bank: [...shownFields],
  'payout list': ['parked-x', 'ORDER_ON_MOON', 'PIGEON'],
}

test.each(screens)('%s: unknown codes and fields are shown as sent, card numbers never', (name, element) => {
  const text = readable(htmlOf(element(unknown), unknown))
  expect(text).not.toMatch(wrong)
  expect(text).not.toContain('4242424242424242')
  for (const code of codes[name] ?? []) expect(text, code).toContain(code)
})

test('a list shows how many records it excludes', () => {
  const text = readable(htmlOf(<AccountListScreen />, empty))
  expect(text).toContain('2 records could not be read and are not included.')
  expect(text).toContain('Excludes 1 account without a currency')
})

test('identities without a status are not counted as 0', () => {
  const queue = readable(htmlOf(<IdentityListScreen />, empty))
  expect(queue).toContain('Identity status not provided for 43 accounts')
  expect(queue).not.toMatch(/\b0\b|No rejected identities/)
  for (const tile of ['Rejected', 'Pending', 'Approved']) expect(queue).toMatch(new RegExp(`${tile} ?–`))
  const overview = readable(htmlOf(<OverviewScreen />, empty))
  expect(overview).toContain('Identity status not provided for 43 accounts')
  expect(overview).not.toContain('Nothing needs attention')
})

test('the balance explanation names what it excludes', () => {
  const text = readable(htmlOf(<BalanceNotes explained={explanationOf(empty)} />, empty))
  expect(text).toContain('2 entries without an id: in no sum.')
  const parts = readable(htmlOf(<BalanceWaterfall explained={explanationOf(empty)} />, empty))
  expect(parts).toContain('3 entries not included')
})

test('an unknown status leaves the stopping actions available', () => {
  const html = htmlOf(<CardScreen cardAccountId="id-ABC-1" cardId="id-ABC-1" />, unknown)
  for (const label of ['Lock', 'Lost or stolen']) expect(html).toMatch(new RegExp(`${label}</button>`))
  expect(html).not.toMatch(/Unlock<\/button>/)
  expect(html).not.toContain('NaN')
})

test('accounts without a currency are accounts', () => {
  const overview = { totals: [], totalsExcluded: 34, aggregateValue: null } as never
  const markup = renderToString(
    <EnvironmentProvider value={environment}>
      <ProgramTotals overview={overview} />
    </EnvironmentProvider>,
  )
  expect(markup).toMatch(/34 accounts.* without a currency not included/)
  expect(markup).not.toContain('No card accounts yet')
})

test('accounts that were not read yet are not called none', () => {
  const shown = (isComplete: boolean) => {
    const overview = { totals: [], totalsExcluded: 0, aggregateValue: null, coverage: { isComplete } } as never
    return renderToString(
      <EnvironmentProvider value={environment}>
        <ProgramTotals overview={overview} />
      </EnvironmentProvider>,
    )
  }
  expect(shown(false)).toContain('No card account was read so far.')
  expect(shown(true)).toContain('No card accounts yet.')
})

test('cards that were not read yet are not called none', () => {
  const shown = (accountsWithCards: number) => {
    const coverage = { accounts: 60, accountsWithCards, isComplete: true, isReading: true, asOf: serviceAt }
    const overview = { cardsByStatus: [], cardsExcluded: 0, coverage } as never
    return readable(
      renderToString(
        <EnvironmentProvider value={environment}>
          <CardsByStatus overview={overview} />
        </EnvironmentProvider>,
      ),
    )
  }
  expect(shown(0)).toContain('not read yet')
  expect(shown(0)).not.toMatch(/\b0\b/)
  expect(shown(60)).toContain('0 cards')
})
