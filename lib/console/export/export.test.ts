import { parse } from 'csv-parse/sync'
import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { exportUrl } from '#lib/api/reads.ts'
import type { Role } from '#lib/auth/permissions.ts'
import type { CardAccountFilters } from '#lib/index/account-filter.ts'
import { accountIndex } from '#lib/index/accounts-sync.ts'
import { readingsDone } from '#lib/index/single-flight.ts'
import { minorUnitDigits } from '#lib/shared/currency.ts'
import { decimalText } from '#lib/shared/money.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { accountProgress, indexedAccounts } from '#lib/tables/card-accounts.ts'
import { listAudit } from '../audit/list.ts'
import { listCardAccounts } from '../card-accounts/list.ts'
import { feeIndex } from '../fees/index-fees.ts'
import { previewLimits } from '../limits/many.ts'
import { listPayouts } from '../payouts/list-payouts.ts'
import { reads } from '../reads.ts'
import { openConsole } from '../testing/open-console.ts'
import { listTransactions } from '../transactions/list.ts'
import { exportList } from './export.ts'
import { type ExportName, exportTable, findExport } from './table.ts'

test('the file of an exported list has the path of its read with .csv, and no other read has one', () => {
  for (const name of Object.keys(exportTable) as ExportName[]) {
    const ids = name === 'listTransactions' ? ['a.csv'] : []
    const path = exportUrl(name, 'sandbox', [...ids, { q: 'x?y' }]).replace(/\?.*/, '')
    expect(path).toMatch(/\.csv$/)
    expect(findExport(path.split('/').slice(3))).toEqual({ name, ids })
  }
  for (const path of [['constructor.csv'], ['fees'], ['.csv'], ['identity.csv'], ['fees', 'x.csv'], []]) {
    expect(findExport(path)).toBeNull()
  }
})

async function readFile(
  response: Response,
): Promise<{ facts: Map<string, string>; header: string[]; rows: string[][] }> {
  const [header = [], ...rows]: string[][] = parse(await response.text(), { bom: true })
  const facts = JSON.parse(decodeURIComponent(response.headers.get('x-file-facts') ?? '[]')) as [string, string][]
  return { facts: new Map(facts), header, rows }
}

test('an export holds exactly the filtered rows of all pages, and states it first', async () => {
  const { signIn } = await openConsole({ seeded: 130 })
  await signIn('viewer')
  const filter = { currency: 'HKD', sort: 'balance', direction: 'asc' } as const
  const list = () => listCardAccounts('sandbox', { ...filter, pageSize: '100' })
  await vi.waitFor(async () => expect((await list()).coverage.isComplete).toBe(true), { timeout: 20_000 })
  const shown = await list()
  const next = await listCardAccounts('sandbox', {
    ...filter,
    pageSize: '100',
    pageToken: shown.nextPageToken ?? undefined,
  })
  const ids = [...shown.rows, ...(shown.nextPageToken ? next.rows : [])].map(({ account }) => account.id)
  const response = await exportList('sandbox', 'listCardAccounts', [], {
    ...filter,
    zone: 'Asia/Hong_Kong',
    pageToken: 'x',
  })
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="card-accounts-sandbox-\d{4}-\d\d-\d\d-\d+-rows\.csv"$/,
  )
  const { facts, header, rows } = await readFile(response)
  expect(header.slice(0, 3)).toEqual(['Id', 'xid', 'Name'])
  expect(rows.map(([id]) => id)).toEqual(ids)
  expect(facts.get('Rows')).toBe(String(ids.length))
  expect(facts.get('Complete')).toBe('yes, every row of the filter')
  expect(facts.get('Time zone')).toBe('Asia/Hong_Kong')
  expect(facts.get('Filter')).toBe('currency = HKD; sort = balance; direction = asc')
})

test('a row that moves in the order while the file is made is in it once', async () => {
  const { db, signIn } = await openConsole({ seeded: 130 })
  await signIn('operations')
  const order = { sort: 'name', direction: 'asc' } as const
  const page = (pageToken?: string) => listCardAccounts('sandbox', { ...order, pageSize: '100', pageToken })
  await vi.waitFor(async () => expect((await page()).coverage.isComplete).toBe(true), { timeout: 20_000 })
  // A short list would soon be read from the service again.
  await readingsDone()
  await db.update(accountProgress).set({ asOf: new Date(Date.now() + minuteMs) })
  const first = await page()
  const second = await page(first.nextPageToken ?? undefined)
  const ids = [...first.rows, ...second.rows].map(({ account }) => account.id)
  const read = reads.listCardAccounts
  onTestFinished(() => void (reads.listCardAccounts = read))
  reads.listCardAccounts = async (...request) => {
    const answer = await read(...request)
    // Of the accounts that the next page has, the first moves to the front; one of this page moves to the end.
    for (const [id, name] of [
      [second.rows[0]?.account.id, '!'],
      [first.rows[0]?.account.id, '~'],
    ])
      await db
        .update(indexedAccounts)
        .set({ name })
        .where(eq(indexedAccounts.id, id ?? ''))
    return answer
  }
  const { rows } = await readFile(await exportList('sandbox', 'listCardAccounts', [], order))
  expect(rows.map(([id]) => id)).toEqual(ids)
})

test('transactions are signed by their entry type, and the file names their account', async () => {
  const { signIn } = await openConsole({ seeded: 4 })
  await signIn('operations')
  const [account] = (await listCardAccounts('sandbox', {})).rows
  const cardAccountId = account?.account.id ?? ''
  const { transactions } = await listTransactions('sandbox', cardAccountId, { pageSize: '100' })
  const { facts, header, rows } = await readFile(await exportList('sandbox', 'listTransactions', [cardAccountId], {}))
  expect(facts.get('Filter')).toBe(`cardAccountId = ${cardAccountId}`)
  const column = header.indexOf('Amount')
  const signed = transactions.map(({ amount, entryType }) => (entryType === 'CREDIT' ? -Number(amount) : amount))
  expect(rows.map((row) => Number(row[column]))).toEqual(signed)
})

test('identifiers and amounts are written as they are', async () => {
  const { signIn } = await openConsole({ seeded: 1 })
  await signIn('operations')
  const { payouts } = await listPayouts('sandbox', { pageSize: '100' })
  const { header, rows } = await readFile(await exportList('sandbox', 'listPayouts', [], {}))
  const numbers = payouts.map(({ destination }) => destination.accountNumber ?? '')
  const written = rows.map((row) => row[header.indexOf('Account number')])
  expect(written).toEqual(numbers)
  expect(written).toContain('001230456789')
  const sent = payouts.map(({ sourceAmount, sourceCurrency }) =>
    sourceAmount === null ? '' : decimalText(sourceAmount, sourceCurrency),
  )
  expect(rows.map((row) => row[header.indexOf('Source amount')])).toEqual(sent)
})

test('a list that fails in the middle is marked incomplete, with the rows that were read', async () => {
  const { signIn, intercept } = await openConsole({ seeded: 2 })
  await signIn('operations')
  const [account] = (await listCardAccounts('sandbox', {})).rows
  const cardAccountId = account?.account.id ?? ''
  const { transactions } = await listTransactions('sandbox', cardAccountId, {})
  const responses = [
    { status: 200, body: { transactions, prevPageToken: null, nextPageToken: 'next' } },
    { status: 400, body: { code: 'INVALID_PARAMETERS', message: 'pageToken is not of this list' } },
  ]
  intercept.before = (request, response) => {
    const planned = request.url?.includes('/cardaccounts/transactions') ? responses.shift() : undefined
    if (!planned) return false
    response.writeHead(planned.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(planned.body))
    return true
  }
  const { facts, rows } = await readFile(await exportList('sandbox', 'listTransactions', [cardAccountId], {}))
  expect(rows.map(([id]) => id)).toEqual(transactions.map(({ id }) => id))
  expect(rows.length).toBeGreaterThan(0)
  expect(facts.get('Rows')).toBe(String(rows.length))
  expect(facts.get('Complete')).toBe(`NO: after ${rows.length} rows: pageToken is not of this list`)
})

test('a reader who is signed out in the middle gets no file, and the attempt is audited', async () => {
  const { signIn, intercept, db } = await openConsole({ seeded: 2 })
  await signIn('operations')
  const [account] = (await listCardAccounts('sandbox', {})).rows
  const cardAccountId = account?.account.id ?? ''
  const { transactions } = await listTransactions('sandbox', cardAccountId, {})
  intercept.before = async ({ url }, response) => {
    if (!url?.includes('/cardaccounts/transactions')) return false
    await signIn(null)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ transactions, prevPageToken: null, nextPageToken: 'next' }))
    return true
  }
  await expect(exportList('sandbox', 'listTransactions', [cardAccountId], {})).rejects.toMatchObject({ status: 401 })
  const entries = await db.select().from(auditEntries).where(eq(auditEntries.act, 'export.read'))
  expect(entries).toMatchObject([{ outcome: 'refused', code: 'NOT_SIGNED_IN' }])
})

test('a void fee has no effect on the balance, in a file of fees, too', async () => {
  const { signIn } = await openConsole({ seeded: 8 })
  await signIn('operations')
  await vi.waitFor(() => feeIndex.readAll('sandbox'))
  const { header, rows } = await readFile(await exportList('sandbox', 'listFees', [], {}))
  const [status, effect] = ['Status', 'Effect on the balance'].map((name) => header.indexOf(name))
  const effects = (wanted: string) =>
    rows.filter((row) => row[status ?? -1] === wanted).map((row) => Number(row[effect ?? -1]))
  expect(new Set(effects('void'))).toEqual(new Set([0]))
  expect(effects('posted').every((change) => change !== 0)).toBe(true)
})

test('records that could not be read, and a list that has no end, make a file incomplete', async () => {
  const { signIn, intercept, service } = await openConsole({ seeded: 8 })
  await signIn('operations')
  const { json } = await service.call('listFees', {})
  const [first, second] = (json as { fees: { id: string }[] }).fees.map((fee) => ({ ...fee, status: 'posted' }))
  let last: string | null = null
  intercept.before = ({ url }, response) => {
    if (!url?.includes('/fees')) return false
    const isFirst = !url.includes('pageToken')
    const body = { fees: [isFirst ? first : second, { ...first, id: null }], nextPageToken: isFirst ? 'next' : last }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    return true
  }
  const exported = async (search: object) =>
    (await readFile(await exportList('sandbox', 'listFees', [], { ...search }))).facts
  const unreadable = '2 records could not be read'
  expect((await exported({})).get('Complete')).toBe(`NO: ${unreadable}`)
  expect((await exported({ status: 'posted' })).get('Complete')).toBe(`NO: ${unreadable}`)
  last = 'next'
  await expect(feeIndex.readAll('sandbox')).rejects.toThrow('repeats a page')
  expect((await exported({ q: second?.id ?? '' })).get('Complete')).toContain('has not read the whole list')
})

test('a file of cards is incomplete until the cards of every account were read', async () => {
  const { db, signIn } = await openConsole({ seeded: 8 })
  await signIn('operations')
  await accountIndex.readAll('sandbox')
  await db.update(indexedAccounts).set({ cards: null })
  const complete = async () => {
    Reflect.deleteProperty(globalThis, 'carddeskCachedSums')
    return (await readFile(await exportList('sandbox', 'listProgramCards', [], {}))).facts.get('Complete')
  }
  expect(await complete()).toContain('NO: the console has not read the whole list')
  await db.update(indexedAccounts).set({ cards: 1 })
  expect(await complete()).toBe('yes, every row of the filter')
  expect(
    (
      await readFile(await exportList('sandbox', 'listProgramCards', [], { unusedSince: '2020-01-01T00:00:00Z' }))
    ).facts.get('Complete'),
  ).toContain('NO: the console has not read the whole list')
  await db.update(indexedAccounts).set({ cardsExcluded: 2 })
  expect(await complete()).toMatch(/^NO: \d+ records could not be read$/)
})

test('an export fails within seconds when the service fails on its first page', async () => {
  const { signIn, intercept } = await openConsole({ seeded: 2 })
  await signIn('operations')
  intercept.before = (request, response) => {
    if (!request.url?.includes('/transactions')) return false
    response.writeHead(503, { 'content-type': 'application/json' }).end('{"message":"down"}')
    return true
  }
  const startMs = performance.now()
  const exported = exportList('sandbox', 'listTransactions', ['A-1'], {})
  await expect(exported).rejects.toMatchObject({ code: 'SERVICE_UNREACHABLE' })
  expect(performance.now() - startMs).toBeLessThan(20_000)
}, 90_000)

test('an export is audited, needs the permission of its list, and an unknown zone is refused', async () => {
  const { signIn } = await openConsole({ seeded: 2 })
  await signIn('viewer')
  await exportList('sandbox', 'listCardAccounts', [], { q: 'nobody has this name' })
  await expect(exportList('sandbox', 'listAudit', [], {})).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
  await expect(exportList('sandbox', 'listCardAccounts', [], { zone: 'Moon/Sea' })).rejects.toMatchObject({
    code: 'INVALID_PARAMETERS',
  })
  await signIn(null)
  await expect(exportList('sandbox', 'listCardAccounts', [], {})).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  await signIn('admin')
  const { entries } = await listAudit('sandbox', { act: 'export.read', outcome: 'done' })
  expect(entries).toHaveLength(1)
  expect(entries[0]?.target?.label).toBe('Card accounts, 0 rows')
})

test('a refused export is in the audit trail, for every role and reason', async () => {
  const { signIn, db } = await openConsole({ seeded: 1 })
  await signIn('viewer')
  await expect(exportList('sandbox', 'listAudit', [], {})).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
  await expect(exportList('sandbox', 'listCardAccounts', [], { sort: 'x' })).rejects.toMatchObject({
    code: 'INVALID_PARAMETERS',
  })
  const trail = await db.select().from(auditEntries).orderBy(auditEntries.number)
  expect(trail).toMatchObject([
    { act: 'export.read', targetId: 'audit', outcome: 'refused', code: 'NOT_PERMITTED', staffRole: 'viewer' },
    { act: 'export.read', targetId: 'card-accounts', outcome: 'refused', code: 'INVALID_PARAMETERS' },
  ])
})

test('a person who may not read bank accounts exports them masked', async () => {
  const { signIn } = await openConsole({ seeded: 1 })
  const numbersFor = async (role: Role) => {
    await signIn(role)
    const { header, rows } = await readFile(await exportList('sandbox', 'listPayouts', [], {}))
    return rows.map((row) => row[header.indexOf('Account number')] ?? '')
  }
  const full = await numbersFor('operations')
  expect(full).toContain('001230456789')
  const shown = full.map((number) => (number.length > 4 ? `•••• ${number.slice(-4)}` : number))
  expect(await numbersFor('viewer')).toEqual(shown)
  expect(await numbersFor('support')).toEqual(shown)
})

test('a viewer cannot find people by what is masked: neither by a key that names it, nor by a value', async () => {
  const { signIn } = await openConsole({ seeded: 1 })
  const searches: (CardAccountFilters & Record<string, string>)[] = [
    { groupKey: 'tel' },
    { groupKey: 'contact', group: '91234567' },
    { groupKey: 'contact', ungrouped: 'yes' },
    { groupKey: 'region', group: 'olive@example.com' },
    { groupKey: 'region', group: '+852 9123 4567' },
  ]
  for (const search of searches) {
    await signIn('viewer')
    await expect(listCardAccounts('sandbox', search)).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
    await expect(exportList('sandbox', 'listCardAccounts', [], search)).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
    await signIn('support')
    await expect(listCardAccounts('sandbox', search)).resolves.toMatchObject({ matching: expect.any(Number) })
  }
  await signIn('viewer')
  const { rows } = await listCardAccounts('sandbox', {})
  const [known] = rows.map(({ account }) => account.phoneNumber).filter((number) => number !== '')
  expect((await listCardAccounts('sandbox', { q: known ?? '' })).rows).toEqual([])
  await expect(listCardAccounts('sandbox', { groupKey: 'region', group: 'Kowloon' })).resolves.toBeTruthy()
})

test('chosen columns of the table are the columns of the file; a name that no column has is refused', async () => {
  const { signIn } = await openConsole({ seeded: 2 })
  await signIn('viewer')
  const { header, rows } = await readFile(
    await exportList('sandbox', 'listCardAccounts', [], { columns: ['name', 'available'] }),
  )
  // An amount is nothing without its currency.
  expect(header).toEqual(['Id', 'xid', 'Name', 'Currency', 'Available'])
  expect(rows.every((row) => row.length === header.length)).toBe(true)
  const chosen = await readFile(
    await exportList('sandbox', 'listCardAccounts', [], { columns: ['name', 'used', 'metadata-department'] }),
  )
  expect(chosen.header).toEqual(['Id', 'xid', 'Name', 'Limit used (share)', 'xmetadata.department'])
  expect(chosen.rows.some((row) => row.at(-1) !== '')).toBe(true)
  await expect(exportList('sandbox', 'listCardAccounts', [], { columns: 'password' })).rejects.toMatchObject({
    code: 'INVALID_PARAMETERS',
  })
})

test('amounts have the decimals of their currency, and times are ISO 8601 with the offset of the zone', async () => {
  const { signIn } = await openConsole({ seeded: 30 })
  await signIn('operations')
  const { header, rows } = await readFile(
    await exportList('sandbox', 'listCardAccounts', [], { zone: 'Asia/Hong_Kong', columns: undefined }),
  )
  const cell = (row: string[], name: string) => row[header.indexOf(name)] ?? ''
  expect(rows.length).toBeGreaterThan(10)
  for (const row of rows) {
    const decimals = 10 ** -minorUnitDigits(cell(row, 'Currency'))
    const pattern = decimals === 1 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${String(decimals).length - 2}}$`)
    expect(cell(row, 'Balance')).toMatch(pattern)
    expect(cell(row, 'Created')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/)
  }
})

test('each key of the metadata is a column, however late it is found; text that is no object has its own', async () => {
  const { signIn, intercept } = await openConsole({ seeded: 2 })
  await signIn('operations')
  const { transactions } = await listTransactions('sandbox', await firstAccountId(), {})
  const [one] = transactions
  const pages = [
    [
      { ...one, id: 'a', xmetadata: { region: 'Kowloon', tags: ['vip', 'new\u2028line'] } },
      { ...one, id: 'b', xmetadata: 'plain text' },
    ],
    [{ ...one, id: 'c', xmetadata: { limit: 5, region: null } }],
  ]
  intercept.before = ({ url }, response) => {
    const page = url?.includes('/cardaccounts/transactions') ? pages.shift() : undefined
    if (!page) return false
    const body = { transactions: page, prevPageToken: null, nextPageToken: pages.length > 0 ? 'next' : null }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    return true
  }
  const { header, rows } = await readFile(await exportList('sandbox', 'listTransactions', [await firstAccountId()], {}))
  const names = ['xmetadata', 'xmetadata.limit', 'xmetadata.region', 'xmetadata.tags']
  expect(header.slice(-4)).toEqual(names)
  expect(rows.map((row) => [row[0], ...row.slice(-4)])).toEqual([
    ['a', '', '', 'Kowloon', '["vip","new\u2028line"]'],
    ['b', 'plain text', '', '', ''],
    ['c', '', '5', '', ''],
  ])
})

async function firstAccountId(): Promise<string> {
  const [account] = (await listCardAccounts('sandbox', {})).rows
  return account?.account.id ?? ''
}

test('an exported list of accounts sets limits as it is, once a limit in it is changed', async () => {
  const { signIn } = await openConsole({ seeded: 12 })
  await signIn('operations')
  const exported = await (await exportList('sandbox', 'listCardAccounts', [], { accountType: 'credit' })).text()
  const [header = [], ...rows]: string[][] = parse(exported, { bom: true })
  const limit = header.indexOf('Limit')
  const [first] = rows
  expect(first).toBeDefined()
  const changed = exported.replace(`"${first?.[limit]}"`, '"123.00"')
  const result = await previewLimits({ environment: 'sandbox', text: changed })
  if (result.kind !== 'read') throw new Error(JSON.stringify(result))
  const [line, ...others] = result.preview.lines
  expect(line).toMatchObject({ account: { id: first?.[0] }, limitNew: '123', problem: null })
  for (const { problem } of others) expect(problem).toMatch(/that already|was the same|no limit/)
})

test('a card without a limit is exported in words, and a cancelled one with nothing left to spend', () => {
  const limits = (card: object) =>
    exportTable.listProgramCards.columns
      .filter(({ of }) => of === 'limit')
      .map(({ value }) => value({ currency: 'HKD', status: 'active', ...card }, () => null))
  expect(limits({ cardLimit: '999999999999999', availableLimit: '10000' })).toEqual(['no limit', '10000.00', 'HKD'])
  expect(limits({ cardLimit: '500', availableLimit: '500', status: 'cancelled' })).toEqual(['500.00', null, 'HKD'])
})
