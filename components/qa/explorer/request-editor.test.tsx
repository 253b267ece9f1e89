import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnvironmentProvider } from '#components/environment/use-environment.ts'
import { endpointNames, endpointRow, type EndpointName } from '#lib/contract/endpoints.ts'
import { requestForm, type FormField } from '#lib/contract/request-form.ts'
import type { Exchange, ExplorerEndpoint } from '#lib/qa/lab/types.ts'
import type { Prefill } from './draft.ts'
import { ExchangePanels } from './exchange-panels.tsx'
import { RequestEditor } from './request-editor.tsx'

const explorer = {
  baseUrl: 'http://127.0.0.1:3000/service/v1',
  sandbox: null,
  signings: ['valid', 'expired'] as const,
  endpoints: [],
  testValues: [],
}

function endpointOf(name: EndpointName): ExplorerEndpoint {
  const row = endpointRow(name)
  const { method, path, summary, rules = [] } = row
  return { name, method, path, summary, rules, form: requestForm(row), isSandboxOnly: false }
}

function htmlOf(name: EndpointName, prefill: Prefill | null = null): string {
  return renderToString(
    <EnvironmentProvider value="sandbox">
      <RequestEditor explorer={explorer} endpoint={endpointOf(name)} prefill={prefill} />
    </EnvironmentProvider>,
  )
}

/** Fields with a control of their own while nothing is entered: a list has one for each of its items. */
function controls(fields: readonly FormField[]): FormField[] {
  return fields.flatMap((field) => {
    if (field.kind === 'object') return controls(field.fields ?? [])
    return field.kind === 'list' ? [] : [field]
  })
}

test.each(endpointNames)('the form of %s has a control for each field', (name) => {
  const { params, query, body } = requestForm(endpointRow(name))
  const html = htmlOf(name)
  const fields = controls([...params, ...query, ...(body?.fields ?? [])])
  // The way to sign is a select; a POST has its idempotency key, and every form has "Send anyway".
  const own = endpointRow(name).method === 'POST' ? 3 : 2
  expect(html.match(/<(input|select|textarea)\b/g)).toHaveLength(fields.length + own)
  for (const field of fields) expect(html).toContain(`>${field.name}</span>`)
})

test('a recent request fills the form; one that the form cannot show is JSON', () => {
  const filled = htmlOf('lockCard', { params: {}, query: {}, body: '{"cardAccountId":"a","cardId":"b"}' })
  expect(filled).toMatch(/value="a"/)
  const other = htmlOf('lockCard', { params: {}, query: {}, body: '{"cardAccountId":"a","more":1}' })
  expect(other).toContain('Body as JSON')
  expect(other).toContain('The form can’t show this text.')
  expect(htmlOf('listPayoutBanks', { params: { countryCode: 'ID' }, query: {}, body: null })).toMatch(/value="ID"/)
  const fees = (name: string) => htmlOf('listFees', { params: {}, query: { [name]: ['a'] }, body: null })
  expect(fees('accountID')).toContain('Not as it was logged: accountID.')
  expect(fees('intent')).not.toContain('Not as it was logged')
})

test('a response shows its status, its differences from the contract, and what is not known without one', () => {
  const exchange: Exchange = {
    endpoint: 'ping',
    method: 'GET',
    url: 'http://127.0.0.1:3000/service/v1/ping',
    requestHeaders: {},
    token: null,
    signing: 'none',
    status: 200,
    headers: {},
    body: '{"message":"pong"}',
    isTruncated: false,
    failure: null,
    durationMs: 12,
    deviations: [],
    issues: [],
  }
  const html = (changes: Partial<Exchange>) =>
    renderToString(<ExchangePanels exchange={{ ...exchange, ...changes }} requestBody={null} />)
  expect(html({})).toContain('Matches the contract')
  const deviations = [{ path: 'message', expected: 'text', found: 'a number' }]
  expect(html({ deviations })).toContain('1 difference from the contract')
  expect(html({ deviations })).not.toContain('Matches the contract')
  const lost = html({ status: null, body: null, failure: 'CONNECTION_LOST' })
  expect(lost).toContain('No response')
  expect(lost).toContain('We don’t know what the service did.')
})
