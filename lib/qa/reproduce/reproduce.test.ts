import { desc, like } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { cardAccounts } from '#lib/service/tables/card-accounts.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { reproduceApi } from './api.ts'
import { buildReproduction } from './build.ts'

const desk = shareConsole({ seeded: 3 })
const environment = 'sandbox' as const
const { readReproduction } = reproduceApi

async function firstAccount() {
  const [account] = await desk.service.service.db.select().from(cardAccounts).limit(1)
  if (!account) throw new Error('no account')
  return account
}

const audited = () =>
  desk.db.select().from(auditEntries).where(like(auditEntries.act, 'case.%')).orderBy(desc(auditEntries.number))

test('a reproduction has nothing of the cardholder’s, whoever reads it, and is audited', async () => {
  await desk.signIn('operations')
  const { id, name, phoneNumber, individual } = await firstAccount()
  const { text } = await readReproduction(environment, 'account', id, {})
  for (const personal of [id, name, phoneNumber, individual?.email, individual?.document.number])
    if (personal) expect(text).not.toContain(personal)
  expect((await audited())[0]).toMatchObject({ act: 'case.reproduce', targetType: 'cardaccount', targetId: id })
})

test.each(['viewer', 'support', 'approver', 'admin'] as const)('%s can’t reproduce', async (role) => {
  await desk.signIn(role)
  const { id } = await firstAccount()
  await expect(readReproduction(environment, 'account', id, {})).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
  expect(await buildReproduction({ environment, type: 'account', id })).toMatchObject({
    outcome: { code: 'NOT_PERMITTED' },
  })
})

test('QA can’t reproduce what is in production', async () => {
  await desk.signIn('qa')
  await expect(readReproduction('production', 'account', 'x', {})).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
})

test.each([
  ['account', {}, 'CARD_ACCOUNT_NOT_FOUND'],
  ['payout', {}, 'PAYOUT_NOT_FOUND'],
  ['transaction', { cardAccountId: 'nobody' }, 'TRANSACTION_NOT_FOUND'],
  ['transaction', {}, 'INVALID_PARAMETERS'],
  ['card', {}, 'INVALID_PARAMETERS'],
])('an unknown %s is refused with a code of its own', async (type, search, code) => {
  await desk.signIn('qa')
  await expect(readReproduction(environment, type, 'nobody', search)).rejects.toMatchObject({ code })
})

test('while the service is away, a reproduction says so as every page does', async () => {
  await desk.signIn('qa')
  const { id } = await firstAccount()
  desk.intercept.before = (_request, response) => {
    response.writeHead(503).end('{}')
    return true
  }
  await expect(readReproduction(environment, 'account', id, {})).rejects.toMatchObject({ code: 'SERVICE_UNREACHABLE' })
})

test('a sandbox of its own holds the state, and is audited; without a lab there is none', async () => {
  await desk.signIn('qa')
  const { id } = await firstAccount()
  expect(await buildReproduction({ environment, type: 'account', id })).toMatchObject({
    outcome: { code: 'LAB_NOT_FOUND' },
  })
  vi.stubEnv('BUILT_IN_SERVICE', 'on')
  onTestFinished(() => void vi.unstubAllEnvs())
  const built = await buildReproduction({ environment, type: 'account', id })
  expect(built).toMatchObject({ kind: 'built', failure: null, differences: [] })
  expect((await audited())[0]).toMatchObject({ act: 'case.build', targetId: id })
})
