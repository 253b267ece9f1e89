import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpointNames, endpoints } from '#lib/contract/endpoints.ts'
import { eventTable } from '#lib/contract/events.ts'
import { masked, maskTable } from './masking.ts'
import { listPermissions, roles } from './permissions.ts'

const viewer = listPermissions('viewer', 'sandbox')

test.each<[string, unknown, unknown]>([
  ['a phone number', { account: { phoneNumber: '+85291234567' } }, { account: { phoneNumber: '•••• 4567' } }],
  ['a short phone number', { phoneNumber: '999' }, { phoneNumber: '••••' }],
  ['one that the service masked', { phoneNumber: '+852***33' }, { phoneNumber: '•••• 33' }],
  ['no phone number', { phoneNumber: '', mobile: null }, { phoneNumber: '', mobile: null }],
  [
    'contacts in a list of cards',
    { cards: [{ mobile: '+6591234567', cardEmail: 'olive@example.com' }] },
    { cards: [{ mobile: '•••• 4567', cardEmail: 'o•••@example.com' }] },
  ],
  ['an address that is none', { cardEmail: 'nobody' }, { cardEmail: '•••' }],
  [
    'the parties of a payout',
    {
      destination: {
        accountNumber: '004-123456-789',
        accountHolderName: 'Maria Santos',
        accountHolderAddress: 'Road 1',
        email: 'm@example.com',
        mobileNumber: '+6591234567',
      },
      source: { email: 's@example.com', mobileNumber: '+6597654321' },
    },
    {
      destination: {
        accountNumber: '•••• 6789',
        accountHolderName: 'Maria Santos',
        accountHolderAddress: '•••',
        email: 'm•••@example.com',
        mobileNumber: '•••• 4567',
      },
      source: { email: 's•••@example.com', mobileNumber: '•••• 4321' },
    },
  ],
  ['the end of a card account', { destination: { accountNumber: '7719' } }, { destination: { accountNumber: '7719' } }],
  [
    'a ledger entry',
    [{ fromAccountNumber: '123456789', toAccountNumber: null, accountNumber: 123456789 }],
    [{ fromAccountNumber: '•••• 6789', toAccountNumber: null, accountNumber: '•••• 6789' }],
  ],
  [
    'a funding account of a fee',
    { account: { kind: 'funding-account', number: '123456789' } },
    { account: { kind: 'funding-account', number: '•••• 6789' } },
  ],
  [
    'an audit entry’s number, which is none',
    { number: 12, entry: { number: '12345678' } },
    { number: 12, entry: { number: '12345678' } },
  ],
  [
    'fields that the interface does not name, of which any may be personal',
    {
      cards: [{ otherFields: { phoneNumber2: 85291234567, contact: { email: 'a@b.example' }, ok: true } }],
      individual: { otherFields: { fullName: 'Mei Chan', tags: ['Road 1'], none: null } },
    },
    {
      cards: [{ otherFields: { phoneNumber2: '•••', contact: { email: '•••' }, ok: true } }],
      individual: { otherFields: { fullName: '•••', tags: ['•••'], none: null } },
    },
  ],
  [
    'personal data that is an object',
    { individual: { address: { line1: 'Road 1' } } },
    { individual: { address: { line1: '•••' } } },
  ],
  [
    'metadata, but for the keys that the program names',
    {
      xmetadata: {
        team: 'Sales',
        contacts: { note: 'call +852 9123 4567', 'E-Mail': 'a@b.example' },
        tel: '00852 9123 4567',
        contact: 91234567,
        note: 'call 9123 4567',
        hkid: 'A123456(7)',
        bank: ['004-123456-789', { of: 'Mei' }],
        full: 'ｘ＠example.com',
        vip: true,
      },
    },
    {
      xmetadata: {
        team: 'Sales',
        contacts: { note: 'call •••• 4567', 'E-Mail': 'a•••@b.example' },
        tel: '•••',
        contact: '•••',
        note: '•••',
        hkid: '•••',
        bank: ['•••', { of: '•••' }],
        full: '•••',
        vip: true,
      },
    },
  ],
  [
    'metadata that is text, or the text of a file or a body',
    {
      cards: [{ xmetadata: 'Mei' }, { xmetadata: ['Mei', 'Ann'] }],
      Xmetadata: '{"team":"Sales","tel":"9123"}',
      requestBody: '{"xmetadata":{"team":"Sales","tel":"9123"}}',
    },
    {
      cards: [{ xmetadata: '•••' }, { xmetadata: ['•••', '•••'] }],
      Xmetadata: '{"team":"Sales","tel":"•••"}',
      requestBody: '{"xmetadata":{"team":"Sales","tel":"•••"}}',
    },
  ],
  [
    'a client identity that the service does not mask',
    {
      rejectionAdditionalInfo: 'Call +85291234567',
      individual: {
        dateOfBirth: '1990-02-03',
        email: 'olive@example.com',
        mobile: '+85291234567',
        address: '1 Queen’s Road',
        document: { type: 'HKID', number: 'A123456(7)' },
      },
    },
    {
      rejectionAdditionalInfo: 'Call •••• 4567',
      individual: {
        dateOfBirth: '•••',
        email: 'o•••@example.com',
        mobile: '•••• 4567',
        address: '•••',
        document: { type: 'HKID', number: '•••• 4567' },
      },
    },
  ],
  [
    'e-mail addresses of cards and accounts, wherever they are',
    { data: { email: 'a@b.example' }, account: { email: 'a@b.example' }, card: { email: 'a@b.example' } },
    { data: { email: 'a•••@b.example' }, account: { email: 'a•••@b.example' }, card: { email: 'a•••@b.example' } },
  ],
  [
    'notes',
    { notes: [{ text: 'write to a@b.example' }], items: [{ text: 'call +852 9123 4567' }] },
    { notes: [{ text: 'write to a•••@b.example' }], items: [{ text: 'call •••• 4567' }] },
  ],
  [
    'requests that were sent',
    {
      requestBody: '{"mobile":"+85291234567"}',
      responseBody: 'a@b.example',
      request: { body: '{"accountNumber":"123456789"}' },
    },
    {
      requestBody: '{"mobile":"•••• 4567"}',
      responseBody: 'a•••@b.example',
      request: { body: '{"accountNumber":"•••• 6789"}' },
    },
  ],
  [
    'the document of a person in a request',
    {
      requestBody: '{"individual":{"document":{"type":"HKID","number":"A123456(7)"}},"fee":{"number":7}}',
      responseBody: '{"cards":[{"document":[{"number":1234567}]}]}',
    },
    {
      requestBody: '{"individual":{"document":{"type":"HKID","number":"•••• 4567"}},"fee":{"number":7}}',
      responseBody: '{"cards":[{"document":[{"number":"•••• 4567"}]}]}',
    },
  ],
  [
    'what a person wrote about an action',
    { comment: 'Called +852 9123 4567', job: { reason: 'Other: a@b.example' }, decisionReason: 'ask a@b.example' },
    { comment: 'Called •••• 4567', job: { reason: 'Other: a•••@b.example' }, decisionReason: 'ask a•••@b.example' },
  ],
  ['a group', { group: 'olive@example.com' }, { group: 'o•••@example.com' }],
  [
    'staff',
    { staff: { name: 'Olive', email: 'olive@example.com' } },
    { staff: { name: 'Olive', email: 'olive@example.com' } },
  ],
])('a viewer reads masked: %s', (_, value, expected) => {
  expect(masked(value, viewer, ['team', 'contacts'])).toEqual(expected)
})

test('the payload of a known event keeps its shape; of an unknown one no text is shown', () => {
  const body = JSON.stringify({
    id: 'e1',
    event: 'card.updated',
    data: { mobile: '+85291234567', last4: '4242' },
    time: 't',
  })
  const shown = masked({ isKnown: true, event: 'card.updated', body }, viewer, [])
  expect(JSON.parse(shown.body)).toEqual({
    id: 'e1',
    event: 'card.updated',
    data: { mobile: '•••• 4567', last4: '4242' },
    time: 't',
  })
  const open = masked(
    {
      isKnown: false,
      event: 'person.moved',
      body: JSON.stringify({ id: 'e2', event: 'person.moved', data: { to: ['Road 1', 7] }, time: 't' }),
    },
    viewer,
    [],
  )
  expect(JSON.parse(open.body)).toEqual({ id: 'e2', event: 'person.moved', data: { to: ['•••', '•••'] }, time: 't' })
})

test('who reads what in full', () => {
  const value = {
    phoneNumber: '+85291234567',
    cardEmail: 'a@b.example',
    accountNumber: '004123456789',
    body: '{"a":"x@y.example"}',
  }
  const fields = Object.keys(value) as (keyof typeof value)[]
  const full = Object.fromEntries(
    roles.map((role) => {
      const shown = masked(value, listPermissions(role, 'sandbox'), [])
      return [role, fields.filter((field) => shown[field] === value[field])]
    }),
  )
  expect(full).toEqual({
    viewer: [],
    support: ['phoneNumber', 'cardEmail'],
    operations: fields,
    approver: fields,
    qa: fields,
    admin: [],
  })
  expect(listPermissions('qa', 'production')).toEqual([])
})

test('every field of the interface named like personal data is in the table', () => {
  const schemas = [
    ...endpointNames.map((name) => endpoints[name].response),
    ...Object.values(eventTable).map(({ data }) => data),
  ]
  const found = new Set<string>()
  const collect = (schema: unknown): void => {
    if (Array.isArray(schema)) return schema.forEach(collect)
    if (typeof schema !== 'object' || schema === null) return
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'properties') for (const name of Object.keys(value as object)) found.add(name)
      collect(value)
    }
  }
  for (const schema of schemas) collect(z.toJSONSchema(schema as z.ZodType, { unrepresentable: 'any', io: 'output' }))
  const listed = new Set(maskTable.flatMap(({ paths }) => paths).map((path) => path.split('.').at(-1)))
  const personal = [...found].filter((name) => /phone|mobile|email|(?<!valid)accountNumber|address$/i.test(name))
  expect(personal.length).toBeGreaterThan(4)
  // The addresses of banks and their branches are not personal data.
  expect(personal.filter((name) => !listed.has(name)).toSorted()).toEqual(['bankAddress'])
})

test.each([
  ['call 9123 4567 after six', 'call •••• 4567 after six'],
  ['(6123 4567)', '(•••• 4567)'],
  ['85291234567, 852 2123 4567 or 00852-9123-4567', '•••• 4567, •••• 4567 or •••• 4567'],
  ['paid 91234567 of 9123.45, 5000-9999 and 85291234567.00', null],
  ['6222 0202 0001 2345 678, 1234 9123 4567, 9123 4567 8901', null],
  ['order 9123-4567, 6f9619ff-8b86-9123-4567-00cf4fc964ff, A5123 4567', null],
  ['between 2025 2026 and 5000 60000', null],
])('of the note %j a viewer reads %j: numbers of Hong Kong are masked, amounts and ids are not', (text, shown) => {
  expect(masked({ notes: [{ text }] }, viewer, [])).toEqual({ notes: [{ text: shown ?? text }] })
})
