import { expect, onTestFinished, test, vi } from 'vitest'
import { endpointRow, type EndpointName } from '#lib/contract/endpoints.ts'
import { requestForm, type FormField } from '#lib/contract/request-form.ts'
import { leftOut, toDraft, queryDrafts, toQuery, toValue } from './draft.ts'
import { endpointGroups } from './endpoint-list.tsx'

function bodyField(name: EndpointName): FormField {
  const { body } = requestForm(endpointRow(name))
  if (!body) throw new Error(`${name} has no body`)
  return body
}

const opening = {
  name: 'Wong Siu Ming',
  limit: 20000.5,
  xmetadata: { department: 'Treasury', floors: [1, 2] },
  individual: {
    gender: 'MALE',
    document: { type: 'HKID' },
    supportingDocuments: [{ documentType: 'PASSPORT', file: 'data:,x' }],
  },
}

test.each<[EndpointName, object]>([
  ['createCardAccount', opening],
  ['simulateAuthorization', { amount: 12.5, currency: 'HKD', opts: { countryCode: 344, cardPresent: false } }],
  ['simulateRepay', { cardAccountIds: ['a', 'b'] }],
  ['setFixedLimit', { cardAccountId: 'a', limit: 0 }],
])('the form of %s shows a body and gives it back', (name, body) => {
  const field = bodyField(name)
  const draft = toDraft(field, body)
  expect(draft).not.toBeNull()
  expect(toValue(field, draft ?? undefined)).toEqual(body)
})

test('what is empty is left out, and what is no number or JSON is sent as text', () => {
  const field = bodyField('quotePayout')
  expect(toValue(field, { method: '', sourceAmount: '', destination: { email: '' } })).toEqual({})
  expect(toValue(field, { sourceAmount: 'ten', accountId: '1' })).toEqual({ sourceAmount: 'ten', accountId: '1' })
  expect(toValue(bodyField('setXmetadata'), { xmetadata: '{"a":' })).toEqual({ target: {}, xmetadata: '{"a":' })
  expect(toValue(bodyField('setXmetadata'), { xmetadata: '["a"]' })).toEqual({ target: {}, xmetadata: ['a'] })
})

test('a number is sent with the digits that were typed', () => {
  const field = bodyField('quotePayout')
  const sent = (sourceAmount: string) => JSON.stringify(toValue(field, { sourceAmount }))
  for (const text of ['5', '-1.50', '9007199254740993', '12345678901234567890', '0.1234567890123456789', '1e400']) {
    expect(sent(text)).toBe(`{"sourceAmount":${text}}`)
  }
  expect(sent(' 5 ')).toBe('{"sourceAmount":5}')
  for (const text of ['007', '0x10', '1,5']) expect(sent(text)).toBe(`{"sourceAmount":"${text}"}`)
  vi.stubGlobal('JSON', { stringify: JSON.stringify })
  onTestFinished(() => void vi.unstubAllGlobals())
  expect([sent('-1.50'), sent('1e400')]).toEqual(['{"sourceAmount":-1.5}', '{"sourceAmount":"1e400"}'])
})

test('a body that the form cannot show has no draft', () => {
  const field = bodyField('quotePayout')
  for (const body of [
    [],
    'text',
    null,
    undefined,
    { unknown: 1 },
    { method: '' },
    { sourceAmount: '1' },
    { sourceAmount: Infinity },
    { accountId: null },
  ]) {
    expect(toDraft(field, body), JSON.stringify(body)).toBeNull()
  }
})

test('a query gives each name with one value or several, and back', () => {
  const { query: fields } = requestForm(endpointRow('listCardAccountTransactions'))
  const query = { cardAccountId: 'a', intent: ['charge', 'refund'], pageSize: '5' }
  const drafts = queryDrafts(fields, query)
  expect(toQuery(fields, drafts)).toEqual({ cardAccountId: ['a'], intent: ['charge', 'refund'], pageSize: ['5'] })
  expect(toQuery(fields, { cardAccountId: '', intent: ['', 'fee'] })).toEqual({ intent: ['fee'] })
  expect(leftOut(fields, query)).toEqual([])
  const wrong = { cardAccountID: ['a'], cardAccountId: ['a', 'b'], pageToken: [''] }
  expect(leftOut(fields, wrong)).toEqual(['cardAccountID', 'cardAccountId', 'pageToken'])
})

test('endpoints are found by path, name and summary, in groups of their resource', () => {
  const endpoints = (['listCards', 'lockCard', 'quotePayout', 'ping'] as const).map((name) => {
    const { method, path, summary } = endpointRow(name)
    return { name, method, path, summary }
  })
  expect(endpointGroups(endpoints, '').map(({ name }) => name)).toEqual(['Cards', 'Payouts', 'Service'])
  expect(endpointGroups(endpoints, 'post lock').flatMap(({ endpoints: found }) => found)).toMatchObject([
    { name: 'lockCard' },
  ])
  expect(endpointGroups(endpoints, 'nothing')).toEqual([])
})
