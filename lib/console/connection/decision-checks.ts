import type { EndpointName } from '#lib/contract/endpoints.ts'
import { occupations, positions } from '#lib/contract/occupations.ts'
import { cardAccountCurrencies } from '#lib/contract/terms.ts'
import { isFields } from '#lib/shared/json.ts'
import { amount, sum } from '#lib/shared/money.ts'
import { having, lacking } from '#lib/shared/provided.ts'
import { items, type ObservedCall } from './read-calls.ts'
import type { DecisionCheck } from './types.ts'

/** The input of the checks of documented assumptions. */
export type Observed = { calls: readonly ObservedCall[]; quota: { limit: number; remaining: number } | null }

type Finding = Pick<DecisionCheck, 'verdict' | 'note'>
type Check = (observed: Observed) => Finding

const open = (note: string | null = null): Finding => ({ verdict: 'open', note })
const confirmed = (note: string | null = null): Finding => ({ verdict: 'confirmed', note })
const contradicted = (note: string): Finding => ({ verdict: 'contradicted', note })

const comparedVerdicts: readonly ObservedCall['verdict'][] = ['matches', 'no records', 'differs', 'unexpected form']

/** The responses whose form was compared, also that of an empty list. */
function compared({ calls }: Observed): ObservedCall[] {
  return calls.filter(({ verdict, status }) => comparedVerdicts.includes(verdict) && status !== 404)
}

function findCall({ calls }: Observed, name: EndpointName): ObservedCall | undefined {
  return calls.find((call) => call.name === name)
}

/** The path, its parameters and the outer form of the response. */
function endpointIs(name: EndpointName): Check {
  return (observed) => {
    const call = findCall(observed, name)
    if (call?.verdict === 'matches') return confirmed()
    if (call?.verdict === 'no records') return open('No record to compare.')
    if (call?.verdict === 'differs' && call.status === 200) return confirmed()
    if (call?.verdict === 'missing' || call?.verdict === 'unexpected form' || call?.verdict === 'differs') {
      return contradicted(`${call.endpoint}: ${call.reason}`)
    }
    return open()
  }
}

/** Every field of the records that an endpoint returned, or those that `fields` names. */
function recordIs(name: EndpointName, fields?: readonly string[]): Check {
  return (observed) => {
    const call = findCall(observed, name)
    if (!call || call.records === 0) return open('No record to compare.')
    const concerned = call.differences.filter(({ path }) => {
      const field = path.slice(path.lastIndexOf('.') + 1)
      return path !== '' && (fields === undefined || fields.includes(field))
    })
    const [first] = concerned
    return first ? contradicted(`${first.path}: expected ${first.expected}, found ${first.found}.`) : confirmed()
  }
}

/** Whether every value of a field in every response passes; open where no response has the field. */
function values(fields: readonly string[], passes: (value: unknown) => boolean, says: string): Check {
  return (observed) => {
    const found = compared(observed).flatMap(({ body }) => collectValues(body, fields))
    if (found.length === 0) return open('No such value in the responses.')
    return found.every(passes) ? confirmed() : contradicted(says)
  }
}

function collectValues(value: unknown, fields: readonly string[], depth = 0): unknown[] {
  if (depth > 6) return []
  if (Array.isArray(value)) return value.flatMap((item) => collectValues(item, fields, depth + 1))
  if (!isFields(value)) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    fields.includes(key) && inner !== null
      ? [inner]
      : key.toLowerCase() === 'xmetadata'
        ? []
        : collectValues(inner, fields, depth + 1),
  )
}

const accepted: Check = (observed) =>
  compared(observed).length > 0 ? confirmed('Signed requests were accepted.') : open()

const acceptedWithQuery: Check = (observed) =>
  ['listCardAccounts', 'listFees', 'listPayouts', 'getRates'].some((name) =>
    compared(observed).some((call) => call.name === name),
  )
    ? confirmed('Signed requests with a query were accepted.')
    : open()

/** The lists of a page: what each of them returned. */
const pagedLists: readonly EndpointName[] = [
  'listCardAccounts',
  'listFees',
  'listCardAccountTransactions',
  'listCards',
  'listPayouts',
  'listAccountTransactions',
]

const pages: Check = (observed) => {
  const lists = compared(observed).filter(
    ({ name, verdict }) => pagedLists.includes(name) && verdict !== 'unexpected form',
  )
  if (lists.length === 0) return open()
  const wrong = lists.find(({ differences }) => differences.some(({ path }) => /^\w*PageToken$/.test(path)))
  return wrong ? contradicted(`${wrong.endpoint} has no page tokens of the expected form.`) : confirmed()
}

const pageTokens: Check = (observed) => {
  const tokens = compared(observed).flatMap(({ record }) => (isFields(record) ? [record.nextPageToken] : []))
  return tokens.some((token) => typeof token === 'string') ? confirmed() : open('Every list fits on one page.')
}

const codesOf401: Check = ({ calls }) => {
  const rejected = calls.filter(({ status }) => status === 401)
  if (rejected.length === 0) return open('No request was rejected.')
  const known: readonly (string | null)[] = ['INVALID_SIGNATURE', 'INVALID_ACCESS_KEY', 'TOKEN_EXPIRED']
  const other = rejected.find(({ code }) => !known.includes(code))
  return other ? contradicted(`A 401 bore ${other.code ?? 'no code'}.`) : confirmed()
}

const requestId: Check = (observed) => {
  const responses = having(observed.calls, 'status')
  if (responses.length === 0) return open()
  const without = lacking(responses, 'requestId')
  return without.length === 0
    ? confirmed()
    : contradicted(`${without.length} of ${responses.length} responses had none.`)
}

const rateLimit: Check = (observed) => {
  if (compared(observed).length === 0) return open()
  return observed.quota
    ? confirmed(`${observed.quota.limit} requests per minute.`)
    : open('The responses have no rate limit headers.')
}

const success: Check = (observed) => {
  const other = having(observed.calls, 'status').find(({ status }) => status > 200 && status < 300)
  if (other) return contradicted(`${other.endpoint} returned ${other.status}.`)
  return compared(observed).length > 0 ? confirmed('For reads.') : open()
}

const amounts: Check = (observed) => {
  const text = compared(observed).flatMap(({ differences }) =>
    differences.filter(({ expected, found }) => expected === 'a number' && found === 'text'),
  )
  if (text[0]) return contradicted(`${text[0].path} is text.`)
  const found = compared(observed).flatMap(({ body }) =>
    collectValues(body, ['amount', 'balance', 'limit', 'sourceAmount']),
  )
  return found.length > 0 ? confirmed() : open('No amount in the responses.')
}

/** available is balance + limit for credit, the balance for prepaid. */
const balance: Check = (observed) => {
  const accounts = items(findCall(observed, 'listCardAccounts')?.record, 'cardaccounts').filter(
    ({ balance, available, accountType }) =>
      typeof balance === 'number' && typeof available === 'number' && typeof accountType === 'string',
  )
  if (accounts.length === 0) return open('No account to compare.')
  const isRight = (account: Record<string, unknown>): boolean => {
    const limit = account.accountType === 'credit' && typeof account.limit === 'number' ? account.limit : 0
    return amount(account.available as number).equals(sum([account.balance as number, limit]))
  }
  const wrong = accounts.filter((account) => !isRight(account)).length
  return wrong === 0
    ? confirmed()
    : contradicted(`${wrong} of ${accounts.length} accounts have another available amount.`)
}

function codedNames(name: 'listOccupations' | 'listPositions', known: readonly { code: string }[]): Check {
  return (observed) => {
    const found = items(findCall(observed, name)?.record, name === 'listOccupations' ? 'occupations' : 'positions')
    if (found.length === 0) return open()
    const other = found.filter(({ code }) => !known.some((one) => one.code === code)).length
    return other === 0 ? confirmed() : contradicted(`${other} of ${found.length} codes are others.`)
  }
}

/** The first of these that is contradicted, else the first that is open, else the first. */
function all(...checks: readonly Check[]): Check {
  return (observed) => {
    const findings = checks.map((check) => check(observed))
    return (
      findings.find(({ verdict }) => verdict === 'contradicted') ??
      findings.find(({ verdict }) => verdict === 'open') ??
      findings[0] ??
      open()
    )
  }
}

const contractCurrencies: readonly unknown[] = cardAccountCurrencies

/** The check of each documented assumption, by its id. An assumption without one can’t be checked by reads: it stays open. */
export const decisionChecks: Readonly<Record<string, Check>> = {
  'authentication.algorithm': accepted,
  'authentication.claim-uri': acceptedWithQuery,
  'authentication.claim-method': accepted,
  'authentication.claim-body': accepted,
  'authentication.lifetime': accepted,
  'authentication.codes-of-a-401': codesOf401,
  'requests.request-id': requestId,
  'requests.success': success,
  'requests.rate-limit': rateLimit,
  'requests.amounts': amounts,
  'requests.currency-codes': values(
    ['currency', 'sourceCurrency', 'destinationCurrency', 'baseCurrency'],
    (code) => typeof code === 'string' && /^[A-Z]{3}$/.test(code),
    'A currency code has another form.',
  ),
  'requests.phone-numbers': values(
    ['phoneNumber'],
    (text) => typeof text === 'string' && /^\+[\d*•x]{7,15}$/i.test(text),
    'A phone number has another form.',
  ),
  'lists.pages': pages,
  'lists.page-tokens': pageTokens,
  'card-accounts.record': recordIs('listCardAccounts'),
  'card-accounts.list-filters': endpointIs('listCardAccounts'),
  'card-accounts.aggregate': all(endpointIs('aggregateBalance'), recordIs('aggregateBalance')),
  'card-accounts.currencies-of-an-account': (observed) => {
    const accounts = items(findCall(observed, 'listCardAccounts')?.record, 'cardaccounts')
    if (accounts.length === 0) return open('No account to compare.')
    const other = accounts.find(({ currency }) => !contractCurrencies.includes(currency))
    return other ? contradicted('An account has another currency.') : confirmed()
  },
  'card-accounts.balance': balance,
  'card-accounts.account-types': recordIs('listCardAccounts', ['accountType']),
  'card-accounts.occupations-and-positions': all(recordIs('listOccupations'), recordIs('listPositions')),
  'card-accounts.their-codes': all(codedNames('listOccupations', occupations), codedNames('listPositions', positions)),
  'client-identity.address': endpointIs('getClientIdentity'),
  'client-identity.statuses': recordIs('getClientIdentity', ['status']),
  'cards.list': endpointIs('listCards'),
  'transactions.list-filters': endpointIs('listCardAccountTransactions'),
  'fees.list-filters': endpointIs('listFees'),
  'accounts.funding-accounts': endpointIs('listAccounts'),
  'accounts.account-ledger': endpointIs('listAccountTransactions'),
  'accounts.ledger-entry': recordIs('listAccountTransactions', ['id', 'time', 'createdAt']),
  'payouts.list-filters': endpointIs('listPayouts'),
  'payouts.bank-lookup': endpointIs('getBank'),
  'rates.query': endpointIs('getRates'),
  'webhooks.list': endpointIs('listWebhooks'),
  'webhooks.statistics': endpointIs('listWebhookStats'),
  'webhooks.status-of-the-statistics': recordIs('listWebhookStats', ['status']),
}
