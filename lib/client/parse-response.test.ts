import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpointNames, endpointRow } from '#lib/contract/endpoints.ts'
import { ResponseUuid, openEnum, Timestamp, Xmetadata } from '#lib/contract/fields.ts'
import { parseResponse } from './parse-response.ts'
import { contractProfile, responseNames, type ResponseNames } from './service-profile.ts'

const names: ResponseNames = responseNames(contractProfile, 'listCards')

const Thing = z
  .object({
    id: ResponseUuid,
    at: Timestamp,
    amount: z.number(),
    count: z.int(),
    name: z.string(),
    note: z.string().nullable(),
    status: openEnum(['active', 'locked']),
    isNew: z.boolean(),
    tags: z.array(z.string()),
    more: z.object({ code: z.string() }),
    xmetadata: Xmetadata.nullable(),
  })
  .meta({ id: 'Thing' })
const Things = z.object({ things: z.array(Thing), nextPageToken: z.string().nullable() })

const thing = {
  id: '1d2c3b4a-0000-4000-8000-000000000001',
  at: '2026-01-02T03:04:05.678Z',
  amount: 12.5,
  count: 3,
  name: 'One',
  note: null,
  status: 'active',
  isNew: true,
  tags: ['a'],
  more: { code: 'x' },
  xmetadata: { region: 'HK' },
}

function parse(sent: unknown, given: Partial<ResponseNames> = {}) {
  const parsed = parseResponse(Things, { things: [sent], nextPageToken: null }, { ...names, ...given })
  if ('unexpected' in parsed) throw new Error(JSON.stringify(parsed.unexpected))
  const [first] = (parsed.record as { things: Record<string, unknown>[] }).things
  return { ...parsed, first }
}

describe('a value', () => {
  test.each([
    ['amount', 400.40000000000003, 400.4, null],
    ['amount', '400.40', 400.4, 'text'],
    ['amount', '-0.01', -0.01, 'text'],
    ['amount', 0, 0, null],
    ['amount', null, null, 'null'],
    ['amount', undefined, null, 'nothing'],
    ['amount', '', null, 'empty text'],
    ['amount', 'n/a', null, 'text that is no decimal number'],
    ['amount', '10,001.00', null, 'text that is no decimal number'],
    ['amount', '10.001,00', null, 'text that is no decimal number'],
    ['amount', '100000000000000.55', null, 'text'],
    ['amount', '0x10', null, 'text that is no decimal number'],
    ['amount', '1e3', 1000, 'text'],
    ['amount', '-1.5E+02', -150, 'text'],
    ['amount', '1250e-2', 12.5, 'text'],
    ['amount', '1e15', null, 'text'],
    ['amount', '1e999999', null, 'text that is no decimal number'],
    ['amount', '1e-999', null, 'text that is no decimal number'],
    ['amount', '1e', null, 'text that is no decimal number'],
    ['amount', true, null, 'true or false'],
    ['amount', [1], null, 'a list'],
    ['amount', 1e300, null, 'a number'],
    ['count', 3.5, null, 'a number'],
    ['count', '7', 7, 'text'],
    ['at', '2026-01-02T11:04:05+08:00', '2026-01-02T03:04:05.000Z', null],
    ['at', '2026-01-02 03:04:05', '2026-01-02T03:04:05.000Z', 'a time of another form'],
    ['at', 1_767_323_045, '2026-01-02T03:04:05.000Z', 'a number'],
    ['at', 1_767_323_045_678, '2026-01-02T03:04:05.678Z', 'a number'],
    ['at', '1767323045678', '2026-01-02T03:04:05.678Z', 'a time of another form'],
    ['at', '0001-01-01T00:00:00Z', null, 'text'],
    ['at', '0001-01-01T00:00:00', null, 'text'],
    ['at', '1900-01-01T00:00:00Z', '1900-01-01T00:00:00.000Z', null],
    ['at', 'yesterday', null, 'text'],
    ['at', '2026-13-40T00:00:00Z', null, 'text'],
    ['at', 0, null, 'a number'],
    ['at', 17, null, 'a number'],
    ['at', 99_999_999, null, 'a number'],
    ['at', false, null, 'true or false'],
    ['id', '1D2C3B4A-0000-4000-8000-00000000000A', '1D2C3B4A-0000-4000-8000-00000000000A', null],
    ['id', 'acct_1NfQ', 'acct_1NfQ', 'an id of another form'],
    ['id', 42, '42', 'a number'],
    ['id', 9_007_199_254_740_991, '9007199254740991', 'a number'],
    ['name', 7, '7', 'a number'],
    ['name', { a: 1 }, null, 'an object'],
    ['note', null, null, null],
    ['status', 'frozen', 'frozen', '"frozen"'],
    ['status', 'LOCKED', 'locked', '"LOCKED"'],
    ['status', ' Locked', 'locked', 'a code of another form'],
    ['status', '', null, 'empty text'],
    ['status', 'held by Chan Tai Man', 'held by Chan Tai Man', 'a code of another form'],
    ['isNew', 'yes', null, 'text'],
    ['tags', null, null, 'null'],
    ['tags', ['a', null, 'b'], ['a', 'b'], 'null'],
    ['more', 'x', null, 'text'],
    ['more', {}, { code: null }, 'nothing'],
    ['xmetadata', 'free text', 'free text', null],
  ])('of %s sent as %j is %j, found: %j', (field, sent, expected, found) => {
    const { first, differences } = parse({ ...thing, [field]: sent })
    expect(first?.[field]).toEqual(expected)
    expect(differences.map((difference) => difference.found)).toEqual(found === null ? [] : [found])
  })

  test.each([
    ['4242424242424242', '4242', true],
    ['XXXX4242', '4242', true],
    ['•••• 4242', '4242', true],
    ['4242', '4242', false],
    [4242, '4242', true],
    ['XXXX', null, true],
  ])('of the last four digits sent as %j is %j', (last4, expected, isDifferent) => {
    const Card = z.object({ last4: z.string(), cardLast4: z.string().nullable() }).meta({ id: 'Card' })
    const parsed = parseResponse(Card, { last4, cardLast4: last4 }, names)
    expect(parsed).toMatchObject({ record: { last4: expected, cardLast4: expected } })
    expect(parsed).toHaveProperty('differences.length', isDifferent ? 2 : 0)
  })

  test('that is free text has the last four digits of a card number', () => {
    const { first } = parse({
      ...thing,
      name: 'Paid with 4242 4242 4242 4242',
      tags: ['4242424242424242'],
      other: { pan: '4242424242424242', pans: [4_242_424_242_424_242], name: 'Chan' },
    })
    expect(first).toMatchObject({
      name: 'Paid with •••• 4242',
      tags: ['•••• 4242'],
      otherFields: { other: { pan: '•••• 4242', pans: ['•••• 4242'], name: 'Chan' } },
    })
  })

  test('of an id, an account, a person or an address stays as sent, also where it may be a card number', () => {
    const number = '4242424242424242'
    const sent = {
      id: number,
      xid: number,
      refId: number,
      accountNumber: number,
      phoneNumber: number,
      mobile: number,
      imageUrl: number,
      code: number,
      nextPageToken: number,
    }
    const { id: _, ...texts } = sent
    const Record = z.object({
      id: ResponseUuid,
      ...Object.fromEntries(Object.keys(texts).map((name) => [name, z.string()])),
    })
    expect(parseResponse(Record, sent, names)).toMatchObject({ record: sent })
  })

  test('is found under its configured name and spelling, without a difference', () => {
    const { amount: _, ...rest } = thing
    const sent = { ...rest, value: '12.50', status: 'LOCKED' }
    const { first, differences, unknownFields } = parse(sent, {
      fields: { Thing: { amount: 'value' } },
      values: { 'Thing.status': { LOCKED: 'locked' } },
      amountsAreText: true,
    })
    expect(first).toMatchObject({ amount: 12.5, status: 'locked' })
    expect([differences, unknownFields]).toEqual([[], []])
  })

  test('of a field that the contract does not name is in otherFields, as sent', () => {
    const { first, unknownFields, differences } = parse({ ...thing, riskScore: { of: [1] } })
    expect(first?.otherFields).toEqual({ riskScore: { of: [1] } })
    expect([unknownFields, differences]).toEqual([['things[*].riskScore'], []])
  })

  test('of a field that the contract does not name is left out where its name is that of a secret', () => {
    const { first } = parse({ ...thing, signingSecret: 'whsec_1', keys: { apiPassword: 'p', on: null } })
    expect(first?.otherFields).toEqual({ signingSecret: '•••', keys: { apiPassword: '•••', on: null } })
  })
})

describe('a list', () => {
  test.each([[null], [7], ['x'], [{ ...thing, id: null }], [{ ...thing, id: '' }], [{}]])(
    'keeps its other records beside the record %j, and counts it',
    (bad) => {
      const parsed = parseResponse(Things, { things: [thing, bad, thing], nextPageToken: 't' }, names)
      expect(parsed).toMatchObject({ record: { things: [thing, thing], nextPageToken: 't' }, excluded: 1 })
    },
  )

  test.each([
    [{ after: 7 }, 'an object'],
    [['t'], 'a list'],
    [true, 'true or false'],
  ])('does not seem to end at a page token that is %j', (nextPageToken, found) => {
    const unexpected = { expected: 'text or null', found: `a page token that is ${found}` }
    expect(parseResponse(Things, { things: [thing], nextPageToken }, names)).toEqual({ unexpected })
  })

  test.each([[null], [undefined], [''], [false]])('ends with the page token %j', (nextPageToken) => {
    const parsed = parseResponse(Things, { things: [], nextPageToken }, names)
    expect(parsed).toMatchObject({ record: { nextPageToken: null } })
  })

  test('has a page token of any form and length', () => {
    const nextPageToken = 'é/+='.repeat(2048)
    expect(parseResponse(Things, { things: [], nextPageToken }, names)).toMatchObject({ record: { nextPageToken } })
  })

  test.each([
    [{ items: [thing] }, 'an object with "things"', 'an object with "items" (a list)'],
    [{ things: null }, 'an object with "things"', 'an object with "things" (null)'],
    [{ things: {} }, 'an object with "things"', 'an object with "things"'],
    [[thing], 'an object with "things"', 'a list'],
    [null, 'an object with "things"', 'null'],
    [{}, 'an object with "things"', 'an object without fields'],
    [{ 'name of a person': 1 }, 'an object with "things"', 'an object without fields'],
  ])('in the body %j is an unexpected form', (body, expected, found) => {
    expect(parseResponse(Things, body, names)).toEqual({ unexpected: { expected, found } })
  })

  test('is found under its configured key, or as the response itself', () => {
    const underKey = parseResponse(Things, { data: [thing] }, { ...names, list: 'data' })
    expect(underKey).toMatchObject({ record: { things: [thing] }, unknownFields: [] })
    expect(underKey).not.toHaveProperty('record.otherFields')
    expect(parseResponse(Things, [thing], { ...names, list: '' })).toMatchObject({ record: { things: [thing] } })
    const stats = parseResponse(z.array(Thing), { stats: [thing] }, { ...names, list: 'stats' })
    expect(stats).toMatchObject({ record: [thing] })
  })
})

test('rates that are not positive numbers are left out and counted', () => {
  const schema = endpointRow('getRates').response
  const parsed = parseResponse(
    schema,
    { baseCurrency: 'USD', rates: { HKD: 7.8, EUR: null, JPY: '150.2', GBP: 0 } },
    names,
  )
  expect(parsed).toMatchObject({ record: { rates: { HKD: 7.8, JPY: 150.2 } }, excluded: 2 })
})

test('a value of any form that is deeper than a script can walk is null and named, the record stays', () => {
  const deep = JSON.parse(`${'[1,'.repeat(50_000)}1${']'.repeat(50_000)}`) as unknown
  const { first, differences } = parse({ ...thing, xmetadata: { deep }, invented: deep, plain: { a: [1] } })
  expect(first).toEqual({ ...thing, xmetadata: null, otherFields: { invented: null, plain: { a: [1] } } })
  expect(differences).toEqual([
    { path: 'things[*].xmetadata', expected: 'at most 200 levels', found: 'a deeper value' },
    { path: 'things[*].*', expected: 'at most 200 levels', found: 'a deeper value' },
  ])
})

test.each(endpointNames)('%s: a response of nothing but nulls has no undefined, NaN or invented value', (name) => {
  const schema = endpointRow(name).response
  const parsed = parseResponse(schema, emptied(schema), names)
  expect(leavesOf('record' in parsed ? parsed.record : null).filter((leaf) => leaf !== null && leaf !== 'x')).toEqual(
    [],
  )
})

function leavesOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value]
}

/** The outer form of a response with one record of nulls in each of its lists. */
function emptied(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodUnion) return emptied(schema.options[0] as z.ZodType)
  if (schema instanceof z.ZodArray) return [{ id: 'x' }]
  if (!(schema instanceof z.ZodObject)) return null
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, field]) => [
      name,
      field instanceof z.ZodArray ? [{ id: 'x' }] : field instanceof z.ZodRecord ? {} : null,
    ]),
  )
}
