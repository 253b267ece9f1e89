import { expect, test } from 'vitest'
import { endpointNames, endpointRow } from './endpoints.ts'
import { requestForm, type FormField } from './request-form.ts'

function kindsOf(fields: readonly FormField[]): Record<string, string> {
  return Object.fromEntries(
    fields.map(({ name, kind, isRequired }) => [name, `${kind}${isRequired ? ' required' : ''}`]),
  )
}

function fieldAt(field: FormField | null, path: string): FormField | undefined {
  return path
    .split('.')
    .reduce<FormField | undefined>(
      (inner, name) => (name === '*' ? inner?.item : inner?.fields?.find((each) => each.name === name)),
      field ?? undefined,
    )
}

test.each(endpointNames)('%s has a form with a field for each parameter and property', (name) => {
  const { params, query, body, path } = endpointRow(name)
  const form = requestForm(endpointRow(name))
  expect(form.params.map((field) => field.name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param))
  expect(form.query.map((field) => field.name)).toEqual(Object.keys(query?.shape ?? {}))
  expect(form.params.length).toBe(Object.keys(params?.shape ?? {}).length)
  expect(form.body === null).toBe(body === undefined)
  if (form.body) expect(form.body).toMatchObject({ kind: 'object', isRequired: true })
  // The description crosses to the browser as it is.
  expect(JSON.parse(JSON.stringify(form))).toEqual(form)
})

test('kinds, values, nesting and hints come from the schemas', () => {
  const quote = requestForm(endpointRow('quotePayout')).body
  expect(kindsOf(quote?.fields ?? [])).toMatchObject({
    method: 'select required',
    accountId: 'text required',
    sourceAmount: 'number',
    destination: 'object',
  })
  expect(fieldAt(quote, 'method')?.options).toEqual(['NETWORK_CARD', 'BANK_TRANSFER'])
  expect(fieldAt(quote, 'accountId')?.hint).toBe('UUID')
  expect(fieldAt(quote, 'destination.accountNumber')?.kind).toBe('text')

  const opening = requestForm(endpointRow('createCardAccount')).body
  expect(fieldAt(opening, 'individual.document.expiryDate')).toMatchObject({ isRequired: true, hint: 'YYYY-MM-DD' })
  expect(fieldAt(opening, 'individual.supportingDocuments.*.documentType')?.kind).toBe('select')
  expect(fieldAt(opening, 'xmetadata')).toMatchObject({ kind: 'json', isRequired: false })
  expect(fieldAt(opening, 'xid')).toMatchObject({ kind: 'text', isRequired: false })

  const transactions = requestForm(endpointRow('listCardAccountTransactions')).query
  expect(kindsOf(transactions)).toMatchObject({ cardAccountId: 'text required', intent: 'list', pageSize: 'number' })
  expect(transactions.find(({ name }) => name === 'intent')?.item?.options).toContain('refund')
  expect(fieldAt(requestForm(endpointRow('simulateAuthorization')).body, 'opts.cardPresent')?.kind).toBe('boolean')
  expect(kindsOf(requestForm(endpointRow('setFixedLimit')).body?.fields ?? [])).toEqual({
    cardAccountId: 'text required',
    limit: 'number required',
  })
})
