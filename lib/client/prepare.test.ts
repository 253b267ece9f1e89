import * as fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { sha256Hex } from '#lib/signing/digest.ts'
import { prepare, prepareBytes } from './prepare.ts'
import { toServiceProfile } from './profile-file.ts'
import { cardTarget } from './testing.ts'

describe('prepare', () => {
  test('serialises the body once: bytes, their hash and the path below the base address', () => {
    const prepared = prepare('lockCard', { body: cardTarget })
    expect(prepared).toEqual({
      name: 'lockCard',
      method: 'POST',
      path: '/cards/lock',
      bytes: new TextEncoder().encode(JSON.stringify(cardTarget)),
      bodySha256: sha256Hex(JSON.stringify(cardTarget)),
    })
    expect(prepareBytes('lockCard', prepared.bytes)).toEqual(prepared)
  })

  test('has no bytes and the hash of nothing for a GET', () => {
    expect(prepare('ping', {})).toMatchObject({ method: 'GET', path: '/ping', bytes: null, bodySha256: sha256Hex('') })
  })

  test('repeats the key of an array, encodes every value, and leaves out what is undefined', () => {
    const { path } = prepare('listCardAccountTransactions', {
      query: {
        cardAccountId: 'a&b',
        intent: ['charge', 'fee'],
        cardId: undefined,
        xid: '',
        dateRangeFrom: '2026-01-01T00:00:00.000+08:00',
      },
    })
    expect(path).toBe(
      '/cardaccounts/transactions?cardAccountId=a%26b&intent=charge&intent=fee&xid=&dateRangeFrom=2026-01-01T00%3A00%3A00.000%2B08%3A00',
    )
  })

  test('any text in a query comes back as it was given, and never leaves its parameter', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (xid) => {
        const { path } = prepare('listCardAccounts', { query: { xid } })
        const url = new URL(path, 'http://service.test')
        expect([...url.searchParams]).toEqual([['xid', xid]])
        expect(path).toMatch(/^\/cardaccounts\?xid=[\x21-\x7e]*$/)
      }),
    )
  })

  test.each(['', '.', '..', '\ud800'])('refuses %j as a segment of the path with TypeError', (countryCode) => {
    expect(() => prepare('listPayoutBanks', { params: { countryCode } })).toThrow(TypeError)
  })

  test('any other text stays one encoded segment of the path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (countryCode) => {
        fc.pre(countryCode !== '.' && countryCode !== '..')
        const { path } = prepare('listPayoutBanks', { params: { countryCode } })
        expect(new URL(path, 'http://service.test').pathname).toBe(path)
        expect(path.split('/').map(decodeURIComponent)).toEqual(['', 'payouts', countryCode, 'banks'])
      }),
    )
  })

  test('refuses a body that JSON has no text for', () => {
    // @ts-expect-error the body is needed
    expect(() => prepare('lockCard', {})).toThrow(new TypeError('lockCard needs a body'))
  })

  test('derives from the contract which input an endpoint needs', () => {
    // @ts-expect-error cardAccountId is required
    prepare('listCards', { query: {} })
    // @ts-expect-error a ping has no query
    prepare('ping', { query: { pageSize: '1' } })
    expectTypeOf(prepare('ping', {}).name).toEqualTypeOf<'ping'>()
  })
})

describe('prepare with the names of a service', () => {
  const profile = toServiceProfile({
    paths: { listCardAccountTransactions: '/v2/{transactions}', lockCard: '/cards/freeze' },
    query: { listCardAccountTransactions: { cardAccountId: 'account_id', pageSize: 'limit' } },
    values: {
      'CardAccountTransaction.status': { PENDING: 'pending' },
      'CardAccountTransaction.intent': { FEE: 'fee' },
      'quotePayout.method': { bank: 'BANK_TRANSFER' },
    },
    fields: { lockCard: { cardId: 'card_id' } },
    events: { 'payouts/created': 'payout.created' },
    amounts: 'text',
  })

  test('uses its paths, query names and spellings of codes', () => {
    const { path } = prepare(
      'listCardAccountTransactions',
      { query: { cardAccountId: 'a', status: 'pending', intent: ['charge', 'fee'], pageSize: '20', xid: 'pending' } },
      toServiceProfile({ ...profile, paths: { listCardAccountTransactions: '/v2/transactions' } }),
    )
    expect(path).toBe('/v2/transactions?account_id=a&status=PENDING&intent=charge&intent=FEE&limit=20&xid=pending')
  })

  test('spells fields, codes, events and amounts of a body as the service does', () => {
    const bodyOf = (prepared: { bytes: Uint8Array | null }): unknown =>
      JSON.parse(new TextDecoder().decode(prepared.bytes ?? Uint8Array.of()))
    const lock = prepare('lockCard', { body: cardTarget }, profile)
    expect(lock.path).toBe('/cards/freeze')
    expect(bodyOf(lock)).toEqual({ cardAccountId: cardTarget.cardAccountId, card_id: cardTarget.cardId })
    const quote = {
      method: 'BANK_TRANSFER' as const,
      accountId: cardTarget.cardId,
      sourceCurrency: 'HKD',
      sourceAmount: 1000.5,
      destinationCountry: 'HK',
      destinationCurrency: 'HKD',
    }
    expect(bodyOf(prepare('quotePayout', { body: quote }, profile))).toEqual({
      ...quote,
      method: 'bank',
      sourceAmount: '1000.5',
    })
    const webhook = { url: 'https://example.com', events: ['payout.created', '*'] }
    expect(bodyOf(prepare('createWebhook', { body: webhook }, profile))).toMatchObject({
      events: ['payouts/created', '*'],
    })
    const activation = { ...cardTarget, last6: '123456', expiryMonth: 7, expiryYear: 2030 }
    expect(bodyOf(prepare('activateCard', { body: activation }, profile))).toEqual(activation)
  })

  test('sends stored bytes to the configured path', () => {
    const bytes = new TextEncoder().encode('{}')
    expect(prepareBytes('lockCard', bytes, {}, profile)).toMatchObject({ path: '/cards/freeze', bytes })
  })
})
