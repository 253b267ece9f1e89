import { describe, expect, test } from 'vitest'
import { endpointRow } from '#lib/contract/endpoints.ts'
import { parseResponse } from './parse-response.ts'
import { parseProfileFile, profileJsonSchema, toServiceProfile } from './profile-file.ts'
import { contractProfile, responseNames } from './service-profile.ts'

describe('carddesk.service.json', () => {
  test('gives each environment its own names, and the contract’s for what is left out', () => {
    const parsed = parseProfileFile(
      JSON.stringify({
        production: {
          paths: { listPayoutBanks: '/banks/{countryCode}' },
          lists: { listFees: 'items' },
          headers: { requestId: 'x-correlation-id' },
          amounts: 'text',
        },
      }),
    )
    expect(parsed).toEqual({
      ok: true,
      value: {
        sandbox: contractProfile,
        production: {
          ...contractProfile,
          paths: { listPayoutBanks: '/banks/{countryCode}' },
          lists: { listFees: 'items' },
          headers: { ...contractProfile.headers, requestId: 'x-correlation-id' },
          amounts: 'text',
        },
      },
    })
  })

  test.each([
    [{ sandbox: { list: {} } }, 'sandbox.list is not a known name.'],
    [{ staging: {} }, 'staging is not a known name.'],
    [{ sandbox: { lists: { listFees: 3 } } }, 'sandbox.lists.listFees must be text.'],
    [{ sandbox: { lists: { lockCard: 'x' } } }, 'sandbox.lists.lockCard is not a known name.'],
    [
      { sandbox: { paths: { listFees: 'fees' } } },
      'sandbox.paths.listFees must be a path such as /fees, without a query.',
    ],
    [
      { sandbox: { paths: { listPayoutBanks: '/banks' } } },
      'sandbox.paths.listPayoutBanks must contain {countryCode}, each once.',
    ],
    [{ sandbox: { query: { listFees: { colour: 'x' } } } }, 'sandbox.query.listFees.colour is not a known name.'],
    [{ sandbox: { fields: { Card: { nope: 'x' } } } }, 'sandbox.fields.Card.nope is not a known name.'],
    [
      { sandbox: { values: { 'FeeEntry.status': { OPEN: 'open' } } } },
      'sandbox.values.FeeEntry.status.OPEN must be one of pending, posted, void.',
    ],
    [
      { sandbox: { headers: { requestId: 'X-Request' } } },
      'sandbox.headers.requestId must be a header name in lower case.',
    ],
    [{ sandbox: { amounts: 'string' } }, 'sandbox.amounts must be number or text.'],
    [[], 'the file must be an object.'],
  ])('names the JSON path of a mistake: %j', (file, mistake) => {
    expect(parseProfileFile(JSON.stringify(file))).toEqual({ ok: false, error: [mistake] })
  })

  test('names every mistake at once, and text that is no JSON', () => {
    const wrong = parseProfileFile('{"sandbox":{"amounts":1,"lists":{"listFees":2}}}')
    expect(!wrong.ok && wrong.error).toHaveLength(2)
    expect(parseProfileFile('{')).toMatchObject({ ok: false, error: [expect.stringMatching(/^is not valid JSON/)] })
  })

  test('is described by docs/carddesk.service.schema.json', async () => {
    await expect(`${JSON.stringify(profileJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(
      '../../docs/carddesk.service.schema.json',
    )
  })
})

test('event names and page tokens of a response are parsed with the names of the profile', () => {
  const profile = toServiceProfile({
    fields: { Response: { nextPageToken: 'next' } },
    events: { 'card/changed': 'card.updated' },
  })
  const webhook = { id: '1d2c3b4a-0000-4000-8000-000000000001', name: 'a', url: 'https://a.example', status: 'healthy' }
  const body = { webhooks: [{ ...webhook, events: ['card/changed', '*', 'constructor'] }] }
  expect(
    parseResponse(endpointRow('listWebhooks').response, body, responseNames(profile, 'listWebhooks')),
  ).toMatchObject({
    record: { webhooks: [{ events: ['card.updated', '*', 'constructor'] }] },
    differences: [],
  })
  const page = { fees: [], prevPageToken: null, next: 'token' }
  expect(parseResponse(endpointRow('listFees').response, page, responseNames(profile, 'listFees'))).toMatchObject({
    record: { nextPageToken: 'token' },
    differences: [],
    unknownFields: [],
  })
})
