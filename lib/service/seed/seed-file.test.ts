import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { rejectionReasons } from '#lib/contract/terms.ts'
import { openTestService } from '../testing.ts'
import { readSeedFile } from './seed-file.ts'
import { resetService } from './seed.ts'

function seedFile(content: unknown): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-seed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'seed.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const [accountId, cardId] = ['0b6d2c1e-0000-4000-8000-000000000001', '0b6d2c1e-0000-4000-8000-0000000000c1']

test('accounts of a seed file are in the sandbox with their ids, alone or behind the demonstration’s, after each reset', async () => {
  const own = {
    id: accountId,
    name: 'Olivia Poon',
    accountType: 'credit',
    limit: 20_000,
    balance: -120.5,
    xid: 'EMP-1',
    cards: [{ id: cardId, last4: '4242' }],
  }
  const ownAccounts = readSeedFile(seedFile({ cardAccounts: [own, { company: 'Peak Ltd' }] }))
  const opened = await openTestService({ settings: { ownAccounts, seededCardAccounts: 0 } })
  onTestFinished(() => opened.close())
  for (const demonstration of [0, 2]) {
    opened.service.settings.seededCardAccounts = demonstration
    await opened.control('POST', '/reset')
    const { json } = await opened.call('listCardAccounts', { query: { pageSize: '10' } })
    const accounts = json.cardaccounts as Record<string, unknown>[]
    expect(accounts).toHaveLength(demonstration + 2)
    expect(accounts.find(({ id }) => id === accountId)).toMatchObject({
      name: 'Olivia Poon',
      balance: -120.5,
      available: 19_879.5,
      xid: 'EMP-1',
    })
    const cards = await opened.call('listCards', { query: { cardAccountId: accountId } })
    expect(cards.json.cards).toMatchObject([{ id: cardId, last4: '4242', status: 'active' }])
  }
})

test('a card that is pending issue stays so until it is produced, five days later', async () => {
  const ownAccounts = readSeedFile(
    seedFile({ cardAccounts: [{ id: accountId, cards: [{ status: 'pending-issue' }] }] }),
  )
  const opened = await openTestService({ settings: { ownAccounts, seededCardAccounts: 0 } })
  onTestFinished(() => opened.close())
  await opened.control('POST', '/reset')
  const status = async () =>
    (await opened.call('listCards', { query: { cardAccountId: accountId } })).json.cards[0].status
  await opened.control('POST', '/clock', { advance: 'P4D' })
  expect(await status()).toBe('pending-issue')
  await opened.control('POST', '/clock', { advance: 'P2D' })
  expect(await status()).toBe('pending-activation')
})

test('a rejected identity has a reason', async () => {
  const ownAccounts = readSeedFile(seedFile({ cardAccounts: [{ id: accountId, identityStatus: 'rejected' }] }))
  const opened = await openTestService({ settings: { ownAccounts, seededCardAccounts: 0 } })
  onTestFinished(() => opened.close())
  await opened.control('POST', '/reset')
  const { json } = await opened.call('getClientIdentity', { query: { cardAccountId: accountId } })
  expect(json).toMatchObject({ rejectedReason: rejectionReasons[0] })
})

test('a mistake names its place in the file', () => {
  const wrong = {
    cardAccounts: [
      { balance: 1.234, colour: 'red', cards: [{ last4: '42' }] },
      { name: 'Cher', accountType: 'credit', limit: -20_000 },
    ],
  }
  expect(() => readSeedFile(seedFile(wrong))).toThrow(/cardAccounts\.1\.name: must be a first and a last name/)
  expect(() => readSeedFile(seedFile(wrong))).toThrow(/cardAccounts\.1\.limit: must not be negative/)
  expect(() => readSeedFile(seedFile(wrong))).toThrow(/cardAccounts\.0\.balance: must have two decimals/)
  expect(() => readSeedFile(seedFile(wrong))).toThrow(/colour/)
  expect(() => readSeedFile(seedFile(wrong))).toThrow(/cardAccounts\.0\.cards\.0\.last4: must be four digits/)
  expect(() => readSeedFile(seedFile({ cards: [] }))).toThrow(/the file: Unrecognized key: "cards"/)
  expect(() => readSeedFile(seedFile('{'))).toThrow(/^SANDBOX_SEED_FILE/)
  expect(() => readSeedFile('/nowhere/seed.json')).toThrow(/no such file/)
})

test('an id or xid is given once in a file, in whatever case, and a prepaid account has no limit', () => {
  const cards = [{ id: cardId }, { id: cardId.toUpperCase(), xid: 'EMP-1' }]
  const wrong = {
    cardAccounts: [
      { id: accountId, xid: 'EMP-1', cards },
      { id: accountId, limit: 100 },
    ],
  }
  expect(() => readSeedFile(seedFile(wrong))).toThrow(/cardAccounts\.1\.limit: must be left out/)
  wrong.cardAccounts[1] = { id: accountId, limit: 0 }
  expect(() => readSeedFile(seedFile(wrong))).toThrow(
    [
      `cardAccounts.0.cards.1.id: ${cardId} is that of cardAccounts.0.cards.0.id, too`,
      'cardAccounts.0.cards.1.xid: EMP-1 is that of cardAccounts.0.xid, too',
      `cardAccounts.1.id: ${accountId} is that of cardAccounts.0.id, too`,
    ].join('\n'),
  )
})

test('an id or xid of a demonstration account is refused with its place in the file', async () => {
  const opened = await openTestService({ seeded: 3 })
  onTestFinished(() => opened.close())
  const { json } = await opened.call('listCardAccounts', { query: { xid: 'EMP-1001' } })
  const id = json.cardaccounts[0].id as string
  const ownAccounts = readSeedFile(seedFile({ cardAccounts: [{}, { id, cards: [{ xid: 'EMP-1001' }] }] }))
  const { db, settings } = opened.service
  const options = { ...settings, cardAccounts: 3, now: new Date() }
  await expect(resetService(db, { ...options, ownAccounts })).rejects.toThrow(
    /^SANDBOX_SEED_FILE: cardAccounts\.1\.id: .* is that of a demonstration record.*\ncardAccounts\.1\.cards\.0\.xid: EMP-1001 is/,
  )
})
