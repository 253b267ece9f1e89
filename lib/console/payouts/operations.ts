import 'server-only'
import { and, eq, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Staff } from '#lib/auth/types.ts'
import { lastDigits, shownLastDigits } from '#lib/contract/account-digits.ts'
import { detailIssues, toParties, partyIssues } from '#lib/contract/payout-entry.ts'
import { type ExecutePayout, payoutPurposes, sourcesOfFunds } from '#lib/contract/payouts.ts'
import { givenReferenceProblems, givenReferences } from '#lib/contract/xmetadata-rules.ts'
import { database, type Queryable } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import type { Accepted } from '#lib/environments/environments.ts'
import { fetchPages, isPastNewest } from '#lib/environments/paginate.ts'
import type { Fields } from '#lib/gate/action.ts'
import { findOperation, type OperationRow, readOtherRecords } from '#lib/operations/journal.ts'
import {
  OperationInput,
  type Checked,
  type Confirmation,
  fieldsByCode,
  hasResult,
  type Issues,
  notDone,
  type Obstacle,
  type OperationRequest,
  operationSpec,
  unreadable,
} from '#lib/operations/spec.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { AppError, nullOn } from '#lib/shared/app-error.ts'
import { atMost } from '#lib/shared/at-most.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { formatAmount, moneyText } from '#lib/shared/currency.ts'
import { sameId } from '#lib/shared/ids.ts'
import { firstFields } from '#lib/shared/json.ts'
import { amount } from '#lib/shared/money.ts'
import { ServiceId } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { payoutStates } from '#lib/tables/payouts.ts'
import { contradictsCode } from './check-quote.ts'
import { Entered, fieldsOfError, Parties, SourceCurrency } from './entry.ts'
import { readOnePayout } from './index-payouts.ts'
import { isSealed } from './quote-seal.ts'
import { renewPayout, toPayoutTerms } from './renew-payout.ts'
import { readSentPayout } from './sent-payout.ts'
import { findSimilarPayouts, findSimilarTo, holderName, lockBeneficiary, toPayment } from './similar-payouts.ts'
import { similarId, type PayoutRecord, type QuoteFacts } from './types.ts'

const Figure = z.string('must be decimal text').regex(/^\d{1,13}(?:\.\d{1,12})?$/, 'must be decimal text')

const Submission = OperationInput.extend({
  ...Parties,
  quoteId: ServiceId,
  accountId: ServiceId,
  sourceAmount: Figure,
  sourceCurrency: SourceCurrency,
  destinationAmount: Figure,
  rate: z
    .string('must be decimal text')
    .max(...atMost(40))
    .regex(/^\d+(?:\.\d+)?$/, 'must be decimal text'),
  expiresAt: z.string('must be a date-time').max(40),
  seal: z.string('must be the seal of the quote').max(200),
  purpose: z.enum(payoutPurposes, 'must be chosen'),
  sourceOfFunds: z.enum(sourcesOfFunds, 'must be chosen'),
  remarks: Entered,
  xid: z.string('must be text').max(1000),
  /** JSON; empty for none. */
  xmetadata: z.string('must be JSON').trim().max(1_000_000, 'is too long').default(''),
  /** The last digits of the beneficiary's account number, typed by the person. */
  confirmDigits: z
    .string('must be the last digits of the account number')
    .regex(/^\d{1,4}$/, 'must be up to four digits'),
  /** The similar payouts that the person was warned of. */
  similarShown: z.array(z.string().max(200)).max(50).default([]),
})
type ParsedSubmission = z.output<typeof Submission>

export const payoutOperations = {
  /** Executes a quote: exactly one payout, however often it is requested. `resultId` of the operation is the payout's id. */
  'payout.submit': operationSpec({
    endpoint: 'executePayout',
    input: Submission,
    target(idIn) {
      const quoteId = idIn('quoteId')
      return quoteId ? { type: 'payout', id: quoteId, parentId: idIn('accountId'), label: null } : null
    },
    request: toPayoutRequest,
    check: requireWarned,
    checkApproved: findLaterPayout,
    stepUp: isLarge,
    readBack: readBackPayout,
    isShownBy: hasResult,
    changes: () => [{ type: 'payouts' }, { type: 'funding-accounts' }],
    renew: renewPayout,
    fieldsOfError: ({ message, code }, submission) => ({
      ...(message === null ? {} : fieldsOfError(message, submission).fields),
      ...fieldsByCode[code ?? ''],
    }),
  }),
}

/** Whether payouts may be submitted in an environment: the interface names the execution of a quote without its shape. */
export function isPayoutOffered(environment: Environment): boolean {
  return consoleSettings().executesPayouts[environment]
}

function toPayoutRequest(submission: ParsedSubmission, staff: Staff): OperationRequest | Issues {
  const quote: QuoteFacts = { ...submission, id: submission.quoteId }
  const { environment, seal, confirmDigits } = submission
  if (!isSealed(environment, staff.id, quote, seal)) {
    return { fields: { quoteId: 'is not one that Carddesk gave you; get a new one' } }
  }
  const { destination, ...rest } = toParties(submission)
  const references = { xid: submission.xid.trim(), xmetadata: submission.xmetadata }
  const issues = { ...partyIssues(submission), ...detailIssues(submission), ...givenReferenceProblems(references) }
  if (Object.keys(issues).length > 0) return { fields: issues }
  if (confirmDigits !== lastDigits(destination.accountNumber ?? '')) {
    return { fields: { confirmDigits: 'does not match the last digits of the account number' } }
  }
  if (!isPayoutOffered(environment)) throw new AppError('PAYOUTS_NOT_OFFERED', notOffered(environment))
  const target = { type: 'payout', id: quote.id, parentId: quote.accountId, label: formatLabel(submission) }
  const { purpose, sourceOfFunds, remarks } = submission
  const body: ExecutePayout = {
    quoteId: quote.id,
    destination,
    ...rest,
    purpose,
    sourceOfFunds,
    ...(remarks.trim() === '' ? {} : { remarks: remarks.trim() }),
    ...givenReferences(references),
    // The interface names the key in the body; it goes in the header as well.
    idempotencyKey: submission.operationId,
  }
  const holdsSecret = submission.method === 'NETWORK_CARD' || holdsCardNumber(destination.accountNumber ?? '')
  const { accountId, sourceAmount, sourceCurrency, destinationAmount, destinationCurrency, expiresAt } = quote
  const { method, destinationCountry: country } = submission
  const { beneficiaries } = toPayment(submission)
  return {
    target,
    body,
    holdsSecret,
    reason: purpose,
    comment: body.remarks ?? null,
    expected: {
      accountId,
      sourceAmount,
      sourceCurrency,
      destinationAmount,
      destinationCurrency,
      expiresAt,
      method,
      country,
      beneficiary: beneficiaries[0],
      ...(body.xid ? { xid: body.xid } : {}),
    },
    policy: {
      topic: 'payouts',
      effect: formatEffect(submission),
      amounts: [{ amount: sourceAmount, currency: sourceCurrency }],
    },
    terms: toPayoutTerms(submission, { destination, ...rest }),
    checkAlone: async (tx) => {
      // Who holds it sees every payout to the beneficiary that came before.
      await lockBeneficiary(tx, environment, beneficiaries)
      // Another press of the same one, which waited for the first: its payout may be in the index before it is settled.
      if ((await findOperation(tx, submission.operationId)) || (await isWarned(submission, tx))) return
      const message = 'Somebody submitted a payout of this amount to this beneficiary at the same moment.'
      throw new AppError('ALREADY_UNDER_WAY', message)
    },
  }
}

/** Refuses a payout that may repeat one that was not shown to its person: it was sent after their quote. */
async function requireWarned(submission: ParsedSubmission): Promise<Checked | Issues> {
  if (await isWarned(submission)) return {}
  return {
    fields: { similarShown: 'names not every payout of this amount to this beneficiary. Get a new quote to see them' },
  }
}

/**
 * Why a payout is not sent by a second press: another one of the same amount went to the same beneficiary after it, of which its person was
 * not warned. Of an approved one the approver was.
 */
async function findLaterPayout(row: OperationRow): Promise<Obstacle | null> {
  const payout = row.needsApproval ? null : await readSentPayout(row)
  if (!payout) return null
  const later = await inTransaction(database(), async (tx) => {
    await lockBeneficiary(tx, row.environment, [row.expected?.beneficiary ?? ''])
    const similar = await findSimilarTo(row, payout, tx)
    return similar.find(({ state, at }) => state !== 'waiting' && (at ?? '') > row.createdAt.toISOString())
  })
  if (!later) return null
  const by = later.by === null ? '' : ` by ${later.by}`
  return { text: `A payout of this amount to this beneficiary${by} came after it.` }
}

async function isWarned(submission: ParsedSubmission, db?: Queryable): Promise<boolean> {
  const { environment, operationId, similarShown } = submission
  const similar = await findSimilarPayouts(environment, toPayment(submission), operationId, db)
  return similar.every((one) => similarShown.includes(similarId(one)))
}

/** From the amount that `STEP_UP_PAYOUTS` has for its funding currency; in a currency that it leaves out, always. */
function isLarge({ sourceAmount, sourceCurrency }: ParsedSubmission): boolean {
  const threshold = consoleSettings().stepUpPayouts[sourceCurrency]
  return threshold === undefined || amount(sourceAmount).gte(threshold)
}

function formatEffect(submission: ParsedSubmission): string {
  const { sourceAmount, sourceCurrency } = submission
  const paid = `${formatAmount(sourceAmount, sourceCurrency)} ${sourceCurrency}`
  // What was typed comes last: a name that reads like a sentence hides no amount.
  return `Debits the funding account ${paid} and pays ${formatLabel(submission)}.`
}

function notOffered(environment: Environment): string {
  return `Submitting payouts is switched off for ${environment}. An admin switches it on with SERVICE_PRODUCTION_PAYOUTS=on.`
}

/** Label in the audit log: amount and beneficiary, with no more of an account number than the payout itself has. */
function formatLabel({ destinationAmount, destinationCurrency, destination }: ParsedSubmission): string {
  return `${formatAmount(destinationAmount, destinationCurrency)} ${destinationCurrency} to ${holderName(destination)}`
}

const lookupPages = 5
/** A payout created this long before the request, or before its quote expired, comes from another quote. */
const lookupSlackMs = { ofRequest: 2 * minuteMs, ofExpiry: 10 * minuteMs }
/** When a payout without a reference was certainly made by the request, which is sent once: the service’s times may be whole seconds. */
const certainMs = { before: 2 * secondMs, after: 2 * minuteMs }

/** The payout that the response names, if it is this one; otherwise the only one of the funding account that can have come from this quote. */
async function readBackPayout(
  row: OperationRow,
  sent: Fields,
  accepted: Accepted | null,
): Promise<Confirmation<PayoutRecord>> {
  const { environment, expected } = row
  const namedId = accepted?.resultId ?? row.resultId
  const isOther = await readOtherRecords(row)
  // A response with an id does not show that the payout exists, nor that it is this one.
  const named = namedId ? await nullOn(readOnePayout(environment, namedId), 'PAYOUT_NOT_FOUND') : null
  if (named && !isOther(named.payout.id) && isOfRequest(named.payout, sent, row)) {
    return payoutConfirmation(row, named.payout.id, named.payout.status, named.payout)
  }
  const wrongId = named
    ? 'The card service gave the ID of another payout.'
    : 'The card service lists no payout with the ID that it gave.'
  const notKnown = (detail: string) => ({
    ...unreadable(namedId ? `${wrongId} ${detail}` : detail),
    isResponseWrong: namedId !== null,
  })
  if (!expected) return notKnown('It is not stored what this payout was to be.')
  const earliestMs = earliestPossibleMs(row)
  const matches = new Map<string, string | null>()
  let isWhole = true
  const query = { accountId: expected.accountId }
  for await (const page of fetchPages(environment, 'listPayouts', query, { maximumPages: lookupPages })) {
    isWhole &&= page.excluded === 0
    for (const payout of page.response.payouts) {
      if (isOther(payout.id)) continue
      const created = page.hasTimeWithoutZone ? null : payout.created
      const match = matchPayout({ ...payout, created }, sent, row, expected, earliestMs)
      // A clock or a zone of the service’s may be wrong: what the console never saw before may be new all the same.
      if (match === 'possible' || (match === 'earlier' && !(await wasSeenBefore(row, payout.id)))) isWhole = false
      if (match === 'yes') matches.set(payout.id, payout.status)
    }
    const times = page.response.payouts.map(({ created }) => created)
    if (!page.hasTimeWithoutZone && isPastNewest(times, earliestMs)) break
    isWhole &&= page.hasMore === 'next' || page.hasMore === 'no'
  }
  const [match] = matches
  if (match && matches.size === 1) {
    const [payoutId, status] = match
    return payoutConfirmation(row, payoutId, status, (await readOnePayout(environment, payoutId)).payout)
  }
  if (match) return notKnown('More than one payout may be this one.')
  if (!isWhole) return notKnown('The list of payouts does not show whether this one was made.')
  return notDone(namedId ? wrongId : 'The card service lists no such payout.')
}

/** Whether the console had read a payout before it sent a request. */
async function wasSeenBefore({ environment, createdAt }: OperationRow, payoutId: string): Promise<boolean> {
  const [seen] = await database()
    .select({ at: payoutStates.seenAt })
    .from(payoutStates)
    .where(
      and(
        eq(payoutStates.environment, environment),
        sql`lower(${payoutStates.payoutId}) = ${payoutId.toLowerCase()}`,
        lt(payoutStates.seenAt, createdAt),
      ),
    )
    .limit(1)
  return seen !== undefined
}

type ExpectedPayout = NonNullable<OperationRow['expected']>
type ListedPayout = Fields & { created: string | null; xid: string | null }

/**
 * Whether a listed payout came from the quote. Its quote decides, or the external ID that was sent; only without either do time and
 * amounts. `possible`: the service does not provide what would decide it, or contradicts it. `earlier`: it is that, but for its time,
 * which is before the request.
 */
function matchPayout(
  payout: ListedPayout,
  sent: Fields,
  row: OperationRow,
  expected: ExpectedPayout,
  earliestMs: number,
): 'yes' | 'no' | 'possible' | 'earlier' {
  if (!isOfRequest(payout, sent, row)) return 'no'
  if (typeof payout.quoteId === 'string') return 'yes'
  const createdMs = payout.created === null ? null : Date.parse(payout.created)
  const facts = [
    ['accountId', (value: unknown) => sameId(String(value), expected.accountId)],
    ['sourceAmount', (value: unknown) => isAmount(value, expected.sourceAmount)],
    ['destinationAmount', (value: unknown) => isAmount(value, expected.destinationAmount)],
    ['sourceCurrency', (value: unknown) => !contradictsCode(String(value), expected.sourceCurrency ?? '')],
    ['destinationCurrency', (value: unknown) => !contradictsCode(String(value), expected.destinationCurrency ?? '')],
  ] as const
  const wrong = facts.filter(([name, agrees]) => payout[name] !== null && !agrees(payout[name])).map(([name]) => name)
  // A service may count its fee into one of the amounts.
  const isOneAmount = wrong.length === 1 && (wrong[0] === 'sourceAmount' || wrong[0] === 'destinationAmount')
  // It may name a currency otherwise than its quote did.
  const isCurrencyAlone = wrong.every((name) => name.endsWith('Currency'))
  const reference = sentReference(sent, row)
  const isSameReference = reference !== undefined && payout.xid === reference
  if (!isOneAmount && !isCurrencyAlone && !isSameReference) return 'no'
  if (createdMs !== null && createdMs < earliestMs) return 'earlier'
  if (wrong.length > 0) return 'possible'
  if (reference !== undefined) return payout.xid === null ? 'possible' : 'yes'
  const startMs = row.serviceCreatedAt?.getTime() ?? Number.NaN
  const isInTime =
    createdMs !== null && createdMs >= startMs - certainMs.before && createdMs <= startMs + certainMs.after
  // Once its bytes are erased, it is not known whose account number was sent.
  const isWhole = sent.destination !== undefined && facts.every(([name]) => payout[name] !== null)
  return isInTime && isWhole ? 'yes' : 'possible'
}

/** Whether a payout can be of the request at all: it names its quote, or neither another external ID nor another beneficiary. */
function isOfRequest(payout: Fields & { xid: string | null }, sent: Fields, row: OperationRow): boolean {
  if (typeof payout.quoteId === 'string') return sameId(payout.quoteId, row.targetId)
  const reference = sentReference(sent, row)
  const isOtherReference = reference !== undefined && payout.xid !== null && payout.xid !== reference
  return !isOtherReference && isSameDestination(payout.destination, sent.destination)
}

/** The external ID that was sent, also once the bytes are erased. */
function sentReference(sent: Fields, { expected }: OperationRow): string | undefined {
  return typeof sent.xid === 'string' ? sent.xid : expected?.xid
}

/** By the last digits that both have, four at most: some services mask the others, or all of them. */
function isSameDestination(listed: unknown, sent: unknown): boolean {
  const [one = '', other = ''] = [listed, sent].map((value) =>
    shownLastDigits(String(firstFields(value).accountNumber ?? '')),
  )
  return one.endsWith(other) || other.endsWith(one)
}

/** A payout may have another rounding than its quote. */
function isAmount(value: unknown, expected: string | undefined): boolean {
  return typeof value === 'number' && expected !== undefined && amount(value).minus(expected).abs().lte('0.01')
}

/** All times are of the service's clock. How long a quote is valid is up to the service. */
function earliestPossibleMs({ serviceCreatedAt, expected }: OperationRow): number {
  const { ofRequest, ofExpiry } = lookupSlackMs
  return serviceCreatedAt ? serviceCreatedAt.getTime() - ofRequest : Date.parse(expected?.expiresAt ?? '') - ofExpiry
}

function payoutConfirmation(
  row: OperationRow,
  resultId: string,
  status: string | null,
  record: PayoutRecord,
): Confirmation<PayoutRecord> {
  return { verdict: 'done', statusAfter: status, resultId, detail: findRecordDifference(row, record), record }
}

/** How the amounts of a payout differ from those that were confirmed, as a sentence; null where they do not, or are not provided. */
function findRecordDifference({ expected }: OperationRow, record: PayoutRecord): string | null {
  const differing = (['source', 'destination'] as const).flatMap((side) => {
    const [value, currency] = [record[`${side}Amount`], record[`${side}Currency`]]
    const [confirmed, confirmedIn] = [expected?.[`${side}Amount`], expected?.[`${side}Currency`]]
    if (confirmed === undefined || confirmedIn === undefined) return []
    const isSame =
      (value === null || amount(value).eq(confirmed)) && (currency === null || !contradictsCode(currency, confirmedIn))
    const verb = side === 'source' ? 'sends' : 'pays'
    if (isSame) return []
    return `it ${verb} ${moneyText(value, currency ?? confirmedIn)}, and ${moneyText(confirmed, confirmedIn)} was confirmed`
  })
  return differing.length === 0 ? null : `The card service’s record differs: ${differing.join('; ')}.`
}
