import 'server-only'
import { z } from 'zod'
import type { CreateCardAccount } from '#lib/contract/card-accounts.ts'
import { PhoneNumber, text } from '#lib/contract/fields.ts'
import { individualPaths } from '#lib/contract/individual-rules.ts'
import { limitProblem, plainLimit } from '#lib/contract/limit-text.ts'
import type { CardAccount } from '#lib/contract/records.ts'
import { accountTypes, cardAccountCurrencies } from '#lib/contract/terms.ts'
import { givenReferenceProblems, givenReferences } from '#lib/contract/xmetadata-rules.ts'
import type { Accepted } from '#lib/environments/environments.ts'
import { fetchPages, isOtherCode, isPastNewest } from '#lib/environments/paginate.ts'
import type { Fields } from '#lib/gate/action.ts'
import { readOneAccount } from '#lib/index/account.ts'
import { type OperationRow, readOtherRecords } from '#lib/operations/journal.ts'
import { idOfTarget } from '#lib/operations/settlement.ts'
import {
  accountTarget,
  OperationInput,
  type Confirmation,
  hasResult,
  type Issues,
  notDone,
  type OperationRequest,
  operationSpec,
  refusedFields,
  unreadable,
} from '#lib/operations/spec.ts'
import { nullOn } from '#lib/shared/app-error.ts'
import { atMost } from '#lib/shared/at-most.ts'
import { withoutCardNumbers } from '#lib/shared/card-numbers.ts'
import { moneyText } from '#lib/shared/currency.ts'
import { amount, toAmount } from '#lib/shared/money.ts'
import { nameWords } from '#lib/shared/texts.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { IndividualInput } from '../identity/individual.ts'

const Opening = OperationInput.extend({
  name: text(200),
  phoneNumber: PhoneNumber,
  accountType: z.enum(accountTypes, 'must be prepaid or credit'),
  currency: z.enum(cardAccountCurrencies, 'must be a currency of the list'),
  /** Decimal text; empty for a prepaid account. */
  limit: z.string('must be text').max(...atMost(40)),
  /** Empty where there is none. */
  xid: z.string('must be text').max(1000, 'must be at most 256 characters'),
  /** JSON; empty where there is none. */
  xmetadata: z.string('must be JSON').max(1_000_000, 'is too long'),
  individual: IndividualInput,
})

export const accountOperations = {
  /** Opens a card account for an individual, whose identity then is pending. `resultId` of the operation is the account's id. */
  'account.open': operationSpec({
    endpoint: 'createCardAccount',
    input: Opening,
    target: () => null,
    request: toOpeningRequest,
    readBack: readBackOpened,
    isShownBy: hasResult,
    changes: (row) => [{ type: 'cardaccounts' }, { type: 'cardaccount', id: idOfTarget(row) }],
    fieldsOfError: (row) => refusedFields(row, refusablePaths),
  }),
}

const refusablePaths = [
  'name',
  'phoneNumber',
  'accountType',
  'currency',
  'limit',
  'xid',
  'xmetadata',
  ...[...individualPaths, 'supportingDocuments'].map((path) => `individual.${path}`),
]

function toOpeningRequest(input: z.output<typeof Opening>): OperationRequest | Issues {
  const { operationId, name, phoneNumber, accountType, currency, individual } = input
  const isPrepaid = accountType === 'prepaid'
  const [limit, xid, xmetadata] = [plainLimit(input.limit), input.xid.trim(), input.xmetadata.trim()]
  const wrongLimit = isPrepaid
    ? limit === ''
      ? null
      : 'must be left out for a prepaid account'
    : limitProblem(limit, currency)
  const fields = {
    ...givenReferenceProblems({ xid, xmetadata }),
    ...(wrongLimit === null ? {} : { limit: wrongLimit }),
  }
  if (Object.keys(fields).length > 0) return { fields }
  const body: z.input<typeof CreateCardAccount> = {
    name: name.trim(),
    phoneNumber,
    identityType: 'individual',
    accountType,
    currency,
    ...(isPrepaid ? {} : { limit: Number(limit) }),
    ...givenReferences({ xid, xmetadata }),
    individual,
  }
  const label = withoutCardNumbers(body.name)
  return {
    // The account has no id yet: the operation's id is used until the service has given one.
    target: accountTarget(operationId, label),
    body,
    // The individual's details and documents: erased once the outcome is known.
    holdsSecret: true,
    // A limit that an account begins with is raised from nothing; without one, the request counts for no rule about raises.
    ...(isPrepaid || amount(limit).isZero()
      ? { expected: { limit: '0' } }
      : {
          policy: {
            topic: 'limit-raises',
            effect: `Opens the account ${label} with a fixed limit of ${moneyText(limit, currency)}.`,
            amounts: [{ amount: limit, currency }],
          },
        }),
  }
}

/** The newest accounts among which one is looked up whose response was lost. */
const lookupPages = 5
const xidPages = 30
/** The service may give a record an earlier time than the request. */
const lookupSlackMs = 10 * minuteMs

/**
 * The account that the response names; otherwise the one with the external ID, or the only new one that matches the
 * request.
 */
async function readBackOpened(
  row: OperationRow,
  sent: Fields,
  accepted: Accepted | null,
): Promise<Confirmation<CardAccount>> {
  const madeId = accepted?.resultId ?? row.resultId
  if (madeId) return confirmById(row, madeId, sent)
  if (typeof sent.name !== 'string') return unreadable(null)
  const { ids, isWhole } = await lookUp(row, sent)
  const [id] = ids
  if (id === undefined && isWhole) return notDone('The card service lists no such account.')
  if (id === undefined) return unreadable('The list of accounts does not show whether this one was opened.')
  if (ids.length > 1) return unreadable('More than one account may be this one.')
  return confirmById(row, id, sent)
}

async function confirmById(
  { environment }: OperationRow,
  id: string,
  sent: Fields,
): Promise<Confirmation<CardAccount>> {
  // A response with an id does not show that the account exists.
  const read = await nullOn(readOneAccount(environment, id), 'CARD_ACCOUNT_NOT_FOUND')
  if (!read) return notDone('The card service lists no such account.')
  const { account } = read
  const wrong = differences(account, sent)
  return {
    verdict: wrong.length === 0 ? 'done' : 'partial',
    statusAfter: account.clientIdentityStatus,
    resultId: account.id,
    detail: wrong.length === 0 ? null : `The account was opened with another ${wrong.join(' and another ')}.`,
    record: account,
  }
}

/** Terms of the request that the account reports otherwise. */
function differences({ accountType, currency, limit, xid }: CardAccount, sent: Fields): string[] {
  if (typeof sent.name !== 'string') return []
  return [
    ...(isOtherCode(accountType, String(sent.accountType)) ? ['account type'] : []),
    ...(isOtherCode(currency, String(sent.currency)) ? ['currency'] : []),
    ...(typeof sent.limit === 'number' && toAmount(limit)?.eq(sent.limit) === false ? ['limit'] : []),
    ...(typeof sent.xid === 'string' && xid !== sent.xid ? ['external ID'] : []),
  ]
}

/**
 * Ids of accounts that the request may have opened: with its external ID, or new ones of the last minutes. `isWhole`: none can
 * have been missed.
 */
async function lookUp(row: OperationRow, sent: Fields): Promise<{ ids: string[]; isWhole: boolean }> {
  const isOther = await readOtherRecords(row)
  const earliest = (row.serviceCreatedAt ?? row.createdAt).getTime() - lookupSlackMs
  const isEarlier = (createdAt: string | null | undefined) => Date.parse(createdAt ?? '') < earliest
  const xid = typeof sent.xid === 'string' ? sent.xid : undefined
  const isCandidate = (account: CardAccount) =>
    isLike(account, sent) && (!xid || account.xid === xid) && !isOther(account.id)
  const ids: string[] = []
  let isWhole = true
  // A service that ignores the filter lists every account.
  const maximumPages = xid ? xidPages : lookupPages
  const query = xid ? { xid } : {}
  for await (const page of fetchPages(row.environment, 'listCardAccounts', query, { maximumPages })) {
    const { cardaccounts } = page.response
    const isTimed = !page.hasTimeWithoutZone
    const candidates = cardaccounts.filter(isCandidate)
    // Without an external ID the time alone tells a new account from an earlier one.
    const isTold = isTimed || xid !== undefined
    if (isTold) ids.push(...candidates.filter(({ createdAt }) => !isTimed || !isEarlier(createdAt)).map(({ id }) => id))
    isWhole &&= page.excluded === 0 && (isTold || candidates.length === 0)
    const times = cardaccounts.map(({ createdAt }) => createdAt)
    if (xid ? cardaccounts.some((account) => account.xid === xid) : isTimed && isPastNewest(times, earliest)) break
    isWhole &&= page.hasMore === 'next' || page.hasMore === 'no'
  }
  return { ids, isWhole }
}

/** A value that the service does not provide says nothing, and a name or a phone number may be listed in another form. */
function isLike({ name, phoneNumber, accountType, currency }: CardAccount, sent: Fields): boolean {
  return (
    (name === null || nameWords(name) === nameWords(String(sent.name))) &&
    (phoneNumber === null || isSamePhone(phoneNumber, String(sent.phoneNumber))) &&
    !isOtherCode(accountType, String(sent.accountType)) &&
    !isOtherCode(currency, String(sent.currency))
  )
}

/** Whether a listed number can be the one that was sent: spaced, without its country, or with digits crossed out. */
function isSamePhone(listed: string, sent: string): boolean {
  const [head = '', ...others] = listed.replaceAll(/[\s().+-]/g, '').split(/\D+/)
  const digits = sent.replaceAll(/\D/g, '')
  const tail = others.at(-1)
  return tail === undefined
    ? digits.endsWith(head.replace(/^0+/, ''))
    : digits.startsWith(head) && digits.endsWith(tail)
}
