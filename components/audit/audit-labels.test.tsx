import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnvironmentProvider } from '#components/environment/use-environment.ts'
import { actionNames, auditedActs } from '#lib/api/actions.ts'
import type { AuditEntry } from '#lib/audit/types.ts'
import { reasonText } from '#lib/shared/reasons.ts'
import { actLabel, actOptions, whyText } from './audit-labels.ts'
import { auditColumns, useLoadedPeople } from './audit-screen.tsx'

const accountId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'

const entry: AuditEntry = {
  number: 150,
  at: '2026-11-21T16:00:00Z',
  by: { id: 's', name: 'Olivia Poon', role: 'operations' },
  environment: 'sandbox',
  act: 'account.set-limit',
  target: { type: 'cardaccount', id: accountId, parentId: null, label: 'Lee Ka Yan' },
  outcome: 'done',
  code: null,
  reason: null,
  comment: null,
  operationId: null,
  requestId: null,
  details: {},
  hash: 'f',
  facts: {
    account: { id: accountId, name: 'Lee Ka Yan', xid: 'EMP2041' },
    limit: { before: '20000', after: '21000', currency: 'HKD' },
    address: null,
    bodySha256: null,
    resultId: null,
  },
}

function cellsOf(changes: Partial<AuditEntry>): Record<string, string> {
  const row = { ...entry, ...changes }
  return Object.fromEntries(
    auditColumns.map(({ id, cell, below }) => {
      const html = renderToString(
        <EnvironmentProvider value="sandbox">
          {cell(row)} | {below?.(row)}
        </EnvironmentProvider>,
      )
      const text = html.replaceAll('<!-- -->', '').replaceAll(/<[^>]+>/g, ' ')
      return [id, text.replaceAll(/\s+/g, ' ').trim()]
    }),
  )
}

test('each action has a name of its own in the filter', () => {
  expect(actOptions.map(({ label }) => label).filter((label, at, all) => all.indexOf(label) !== at)).toEqual([])
})

test('an entry of a limit shows the old and new limit, or the new one alone where the old one is unknown', () => {
  expect(cellsOf({}).act).toBe('Set fixed limit Lee Ka Yan EMP2041 20,000.00 becomes 21,000.00 HKD |')
  const facts = { ...entry.facts, limit: { before: null, after: '21000', currency: null } }
  expect(cellsOf({ facts }).act).toBe('Set fixed limit Lee Ka Yan EMP2041 to 21,000 |')
})

test('an entry names its object: an account by its id, a fee by its account, a webhook by its address or id', () => {
  expect(cellsOf({}).target).toBe('Lee Ka Yan | EMP2041')
  const nothing = { account: null, limit: null, address: null, bodySha256: null, resultId: null }
  const fee = { type: 'fee', id: 'f', parentId: accountId, label: 'annual-fee · 300 HKD' }
  expect(cellsOf({ target: fee, facts: { ...entry.facts, limit: null } }).target).toBe(
    'annual-fee · 300 HKD | Lee Ka Yan EMP2041',
  )
  expect(cellsOf({ target: fee, facts: nothing }).target).toBe('annual-fee · 300 HKD | 6f96…64ff')
  const webhook = { type: 'webhook', id: accountId, parentId: null, label: 'critic-sync' }
  const address = 'https://ledger.example.com/in'
  expect(cellsOf({ target: webhook, facts: { ...nothing, address } }).target).toBe(`critic-sync | ${address}`)
  expect(cellsOf({ target: webhook, facts: nothing }).target).toBe('critic-sync | 6f96…64ff')
  const nameless = { ...webhook, label: address }
  expect(cellsOf({ target: nameless, facts: { ...nothing, address } }).target).toBe(`${address} | 6f96…64ff`)
})

test('on a narrow screen the time column shows the outcome and the action column the object', () => {
  const refused = cellsOf({ outcome: 'refused', code: 'NOT_PERMITTED' })
  expect(refused.at).toContain('entry 150 · Olivia Poon Refused NOT_PERMITTED')
  expect(refused.act).toContain('Lee Ka Yan')
})

test('a person whose entries carry two names is offered once, by the newer name', () => {
  const by = (name: string): AuditEntry => ({ ...entry, by: { id: 's', name, role: 'operations' } })
  function People(): string {
    return JSON.stringify(useLoadedPeople([by('Olivia Poon'), by('O. Poon'), { ...entry, by: null }]))
  }
  const html = renderToString(<People />).replaceAll('&quot;', '"')
  expect(JSON.parse(html)).toEqual([{ value: 's', label: 'Olivia Poon' }])
})

test('every kind of audit entry has a filter and a label', () => {
  const offered = new Set(actOptions.map(({ value }) => value))
  const others = ['sign-in', 'sign-out', 'staff.set-role', 'staff.sign-out', 'bulk.start', 'bulk.pause', 'export.read']
  for (const act of [...actionNames.flatMap((name) => auditedActs(name).map(({ act }) => act)), ...others]) {
    expect(offered, act).toContain(act)
    expect(actLabel(act), act).not.toBe(act)
  }
  expect(actOptions).toHaveLength(offered.size)
  expect(actLabel('moon.walk')).toBe('moon.walk')
})

test('a reason has the dialog’s label; a typed comment is unchanged', () => {
  expect(reasonText('cardholder-request')).toBe('Cardholder request')
  expect(reasonText('family-support')).toBe('family support')
  expect(reasonText('Charge-back of May')).toBe('Charge-back of May')
  expect(whyText({ act: 'card.lock', reason: 'other', comment: 'on holiday' })).toBe('“on holiday”')
  expect(whyText({ act: 'card.lock', reason: 'resolved', comment: 'seen' })).toBe('The case is resolved, “seen”')
  expect(whyText({ act: 'card.lock', reason: null, comment: null })).toBe('')
  expect(whyText({ act: 'lab.advance', reason: null, comment: 'PT24H' })).toBe('by 24 h')
})

test('a refused page has the name that the navigation gives it', () => {
  const page = { type: 'page', parentId: null }
  const refused = { act: 'page.open', facts: { ...entry.facts, account: null, limit: null } }
  expect(cellsOf({ ...refused, target: { ...page, id: 'embed', label: 'embed/settings' } }).target).toBe('Embedding |')
  expect(cellsOf({ ...refused, target: { ...page, id: 'lab', label: 'lab/details' } }).target).toBe('QA lab |')
  expect(cellsOf({ ...refused, target: { ...page, id: 'staff', label: 'staff' } }).target).toBe('Staff |')
})
