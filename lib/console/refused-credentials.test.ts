import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { readHealth } from '#lib/environments/health.ts'
import { readOneAccount } from '#lib/index/account.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { creditAccounts } from './testing/bulk.ts'
import { openConsole } from './testing/open-console.ts'

const environment = 'sandbox' as const

/** A console whose service answers these methods with 401 and `body`. */
async function openRefused({ isSigned, body }: { isSigned: boolean; body: object }, methods = ['GET', 'POST']) {
  const desk = await openConsole({ seeded: 4 })
  await desk.signIn('operations')
  const [account] = await creditAccounts(desk)
  if (!account) throw new Error('the seed lacks a credit account')
  const settings = consoleSettings()
  const { sandbox } = settings.services
  if (sandbox && !isSigned) {
    Object.assign(settings, { services: { ...settings.services, sandbox: { ...sandbox, privateKey: null } } })
  }
  desk.intercept.before = ({ method = '' }, response) => {
    if (!methods.includes(method)) return false
    response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    return true
  }
  return account
}

const refused = 'The card service refuses Carddesk’s credentials.'
const nextSigned = 'Ask an admin to check the access key and the private key in the settings, then try again.'
const nextBasic = 'Ask an admin to check the access key in the settings, then try again.'

test.each([
  [{ isSigned: true, body: {} }, refused, nextSigned],
  [
    { isSigned: true, body: { code: 'INVALID_SIGNATURE', message: 'no' } },
    'The card service could not verify the signature of the request.',
    'Tell an admin: The private key in the settings may not belong',
  ],
  [{ isSigned: true, body: { message: 'unauthorised' } }, `${refused} It says: Unauthorised.`, nextSigned],
  [{ isSigned: false, body: { code: 'UNAUTHORIZED', message: 'no' } }, `${refused} It says: No.`, nextBasic],
  [
    { isSigned: false, body: { code: 'INVALID_ACCESS_KEY', message: 'no' } },
    'The card service does not know the access key.',
    'Ask an admin to check the access key in the settings.',
  ],
])('a 401 says what a person can do about the credentials there are: %j', async (given, happened, next) => {
  const { id } = await openRefused(given)
  const reading = readOneAccount(environment, id)
  await expect(reading).rejects.toMatchObject({
    code: 'SERVICE_REFUSED',
    message: expect.stringMatching(new RegExp(`^${happened} ${next}`)),
  })
  const health = await readHealth(environment)
  expect(health).toMatchObject({ connected: true, state: 'rejected', isSigned: given.isSigned })
})

test('an action that meets a 401 is not called hopeless: the credentials are refused, not the action', async () => {
  const account = await openRefused({ isSigned: true, body: { code: 'UNAUTHORIZED' } }, ['POST'])
  const result = await runAction('account.set-limit', {
    environment,
    operationId: randomUUID(),
    cardAccountId: account.id,
    limit: '1',
    limitBefore: Number(account.limit),
  })
  expect(result).toMatchObject({
    kind: 'settled',
    operation: { outcome: { state: 'refused', changed: 'no', happened: refused, next: nextSigned } },
  })
})
