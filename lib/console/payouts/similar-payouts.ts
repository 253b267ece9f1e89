import 'server-only'
import { and, desc, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { shownLastDigits } from '#lib/contract/account-digits.ts'
import type { PayoutEntry } from '#lib/contract/payout-entry.ts'
import { database, type Queryable, type Transaction } from '#lib/db/connection.ts'
import { lockByName } from '#lib/db/locks.ts'
import { keyedDigest } from '#lib/db/sealing.ts'
import type { OperationRow } from '#lib/operations/journal.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { sameId } from '#lib/shared/ids.ts'
import { amount } from '#lib/shared/money.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isoTime, dayMs } from '#lib/shared/time.ts'
import { operations } from '#lib/tables/operations.ts'
import { indexedPayouts } from '#lib/tables/payouts.ts'
import { parseStoredPayout } from './payout-record.ts'
import { expectedPayout } from './sent-payout.ts'
import type { QuoteFacts, SentPayout, SimilarPayout } from './types.ts'

type Figures = Pick<QuoteFacts, 'sourceAmount' | 'sourceCurrency' | 'destinationAmount' | 'destinationCurrency'>
/** What is equal in two payouts that may be one payment made twice. */
type Payment = Figures & Record<'accountNumber' | 'holder', string> & { beneficiaries: [string, ...string[]] }

/** The payment that a quote or a submission makes. */
export function toPayment({
  destinationCountry,
  destination,
  ...figures
}: Figures & Pick<PayoutEntry, 'destinationCountry' | 'destination'>): Payment {
  const { accountNumber } = destination
  const beneficiaries = beneficiaryDigests(destinationCountry, accountNumber)
  return { ...figures, beneficiaries, accountNumber, holder: holderName(destination) }
}

export function holderName({ firstName, surname }: PayoutEntry['destination']): string {
  return `${firstName.trim()} ${surname.trim()}`
}

/** Recognise a beneficiary in the journal, which stores no account number: by the present sealing key, then by the previous one. */
function beneficiaryDigests(destinationCountry: string, accountNumber: string): [string, ...string[]] {
  const number = accountNumber.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase()
  const { sealingKey, previousSealingKey } = consoleSettings()
  const digest = (key: Buffer) => keyedDigest(key, ['beneficiary', destinationCountry, number])
  return [digest(sealingKey), ...(previousSealingKey ? [digest(previousSealingKey)] : [])]
}

/** Holds until the transaction ends what every payout to the beneficiary waits for, whichever of its digests a process knows. */
export async function lockBeneficiary(
  tx: Transaction,
  environment: Environment,
  digests: readonly string[],
): Promise<void> {
  for (const digest of digests.toSorted()) await lockByName(tx, 'payouts to a beneficiary', environment + digest)
}

const openStates = ['unknown', 'sending', 'waiting', 'approved'] as const
/**
 * One that could not be sent and may still be: from the page of its approval, or after a refusal of which it isn't certain that nothing
 * was done. Any other is sent again from its own dialog alone, where what came after it stops it.
 */
const isNotSentYet = and(
  eq(operations.state, 'not-sent'),
  isNull(operations.settledAt),
  or(operations.needsApproval, isNotNull(operations.status)),
)
const most = 10

/**
 * Payouts of the same amount to the same beneficiary that are not settled, or were made within 24 hours: by the journal,
 * and by the index for those that this console did not send. The newest first, ten at most. Neither the excepted operation
 * is among them nor the payout that it made.
 */
export async function findSimilarPayouts(
  environment: Environment,
  payment: Payment,
  exceptOperationId: string | null,
  db: Queryable = database(),
): Promise<SimilarPayout[]> {
  const since = new Date(Date.now() - dayMs)
  const sent = await db
    .select()
    .from(operations)
    .where(
      and(
        eq(operations.environment, environment),
        eq(operations.kind, 'payout.submit'),
        inArray(sql`${operations.expected} ->> 'beneficiary'`, payment.beneficiaries),
        or(
          inArray(operations.state, [...openStates]),
          isNotSentYet,
          and(inArray(operations.state, ['done', 'partial']), gt(operations.createdAt, since)),
        ),
      ),
    )
    .orderBy(desc(operations.createdAt))
    .limit(100)
  const listed = await db
    .select({ record: indexedPayouts.record, createdAt: indexedPayouts.createdAt })
    .from(indexedPayouts)
    .where(
      and(
        eq(indexedPayouts.environment, environment),
        gt(indexedPayouts.createdAt, since),
        or(
          sameAmount('destination', payment.destinationAmount, payment.destinationCurrency),
          sameAmount('source', payment.sourceAmount, payment.sourceCurrency),
        ),
        sql`coalesce(${indexedPayouts.status}, '') not in ('cancelled', 'failed')`,
        mayBeNumber(payment.accountNumber),
      ),
    )
  const own = sent.filter(({ expected }) => expected && isSameAmount(expected, payment))
  const others = listed.flatMap(({ record, createdAt }): SimilarPayout[] => {
    const payout = parseStoredPayout(record)
    const isOwn = own.some(({ resultId }) => sameId(resultId, payout.id))
    if (isOwn || !isSameBeneficiary(payout.destination, payment)) return []
    const at = isoTime(createdAt)
    return [{ ...paidAmounts(payout), payoutId: payout.id, operationId: null, state: 'made', at, by: null }]
  })
  const besides = own.filter(({ id }) => id !== exceptOperationId)
  const mine = besides.map((row): SimilarPayout => ({
    ...paidAmounts(expectedPayout(row)),
    payoutId: row.state === 'done' || row.state === 'partial' ? row.resultId : null,
    operationId: row.id,
    state: toSimilarState(row),
    at: row.createdAt.toISOString(),
    by: row.staffName,
  }))
  return [...mine, ...others].toSorted((one, other) => (other.at ?? '').localeCompare(one.at ?? '')).slice(0, most)
}

function toSimilarState({ state, status }: OperationRow): SimilarPayout['state'] {
  if (state === 'waiting') return 'waiting'
  if (state === 'done' || state === 'partial') return 'made'
  return state === 'approved' || (state === 'not-sent' && status === null) ? 'approved' : 'unsettled'
}

/** Other payouts that this one may repeat. */
export async function findSimilarTo(
  { id, environment, expected }: OperationRow,
  payout: SentPayout,
  db?: Queryable,
): Promise<SimilarPayout[]> {
  const {
    accountNumber,
    beneficiary: holder,
    sourceAmount,
    sourceCurrency,
    destinationAmount,
    destinationCurrency,
  } = payout
  const beneficiary = expected?.beneficiary
  if (!beneficiary || !sourceAmount || !sourceCurrency || !destinationAmount || !destinationCurrency) return []
  const amounts = { sourceAmount, sourceCurrency, destinationAmount, destinationCurrency }
  const beneficiaries: Payment['beneficiaries'] = [
    beneficiary,
    ...beneficiaryDigests(payout.country ?? '', accountNumber ?? ''),
  ]
  const payment = { ...amounts, beneficiaries, accountNumber: accountNumber ?? '', holder: holder ?? '' }
  return findSimilarPayouts(environment, payment, id, db)
}

type PaidAmounts = Pick<SimilarPayout, 'sourceAmount' | 'sourceCurrency' | 'destinationAmount' | 'destinationCurrency'>

function paidAmounts({
  sourceAmount,
  sourceCurrency,
  destinationAmount,
  destinationCurrency,
}: PaidAmounts): PaidAmounts {
  return { sourceAmount, sourceCurrency, destinationAmount, destinationCurrency }
}

function sameAmount(side: 'source' | 'destination', value: string, currency: string) {
  const [column, unit] =
    side === 'source'
      ? [indexedPayouts.sourceAmount, indexedPayouts.sourceCurrency]
      : [indexedPayouts.destinationAmount, indexedPayouts.destinationCurrency]
  return and(sql`abs(${column} - ${value}::numeric) <= 0.01`, eq(unit, currency))
}

/**
 * A payout is fixed by either of its amounts: the other one follows from a rate that moves. One that got a new quote on its approval
 * was submitted with another source amount (`submittedSourceAmount`) than it was sent with.
 */
function isSameAmount(expected: Record<string, string>, payment: Payment): boolean {
  const isSame = (sent: string | undefined, currency: string | undefined, side: 'source' | 'destination') =>
    Boolean(sent) &&
    currency === payment[`${side}Currency`] &&
    amount(sent ?? 0)
      .minus(payment[`${side}Amount`])
      .abs()
      .lte('0.01')
  const { sourceAmount, submittedSourceAmount, sourceCurrency, destinationAmount, destinationCurrency } = expected
  return (
    isSame(sourceAmount, sourceCurrency, 'source') ||
    isSame(submittedSourceAmount, sourceCurrency, 'source') ||
    isSame(destinationAmount, destinationCurrency, 'destination')
  )
}

type Listed = { accountNumber: string | null; accountHolderName: string | null }

/** Leaves out payouts to account numbers of other last digits: a program may pay one amount to thousands in a day. */
function mayBeNumber(accountNumber: string) {
  const digits = shownLastDigits(accountNumber)
  const end = sql`substring(right(${indexedPayouts.record} #>> '{destination,accountNumber}', 40) from '[0-9\\s-]*$')`
  const shown = sql`right(regexp_replace(coalesce(${end}, ''), '\\D', '', 'g'), 4)`
  return sql`right(${shown}, ${digits.length}::int) = right(${digits}::text, length(${shown}))`
}

/** By the last digits, four at most: some services mask the others. Where all are masked, by the holder's name. */
function isSameBeneficiary(
  { accountNumber, accountHolderName }: Listed,
  { accountNumber: sent, holder }: Payment,
): boolean {
  const [one, other] = [accountNumber ?? '', sent].map(shownLastDigits)
  if (one && other) return one.endsWith(other) || other.endsWith(one)
  const words = (name: string) => name.toLowerCase().split(/\s+/).toSorted().join(' ')
  return accountHolderName !== null && words(accountHolderName) === words(holder)
}
