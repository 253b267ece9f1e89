import 'server-only'
import { z } from 'zod'
import { detailIssues, partiesOf, partyIssues } from '#lib/contract/payout-entry.ts'
import { payoutPurposes, sourcesOfFunds, type ExecutePayout } from '#lib/contract/payouts.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { formatAmount } from '#lib/shared/currency.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { act, ActionInput, type ActionRequest, type ActionResult } from '../desk/operations/act.ts'
import type { OperationRow } from '../desk/operations/journal.ts'
import { auditRefusals } from '../desk/operations/perform.ts'
import { ServiceId } from '../desk/parse.ts'
import { Refusal } from '../desk/refusal.ts'
import { requirePermission } from '../desk/session/session.ts'
import type { Staff } from '../desk/session/staff.ts'
import { consoleSettings } from '../desk/settings.ts'
import { Parties } from './entry-input.ts'
import { isSealed, type QuoteFacts } from './quote-seal.ts'
import { fieldsOfRefusal } from './refused-fields.ts'

const Figure = z.string('must be decimal text').regex(/^\d{1,13}(?:\.\d{1,12})?$/, 'must be decimal text')

const Submission = ActionInput.extend({
  ...Parties,
  quoteId: ServiceId,
  accountId: ServiceId,
  sourceAmount: Figure,
  sourceCurrency: Parties.destinationCurrency,
  destinationAmount: Figure,
  rate: z
    .string('must be decimal text')
    .regex(/^\d+(?:\.\d+)?$/, 'must be decimal text')
    .max(40),
  expiresAt: z.string('must be a date-time').max(40),
  seal: z.string('must be the seal of the quote').max(200),
  purpose: z.enum(payoutPurposes, 'must be chosen'),
  sourceOfFunds: z.enum(sourcesOfFunds, 'must be chosen'),
  remarks: z.string('must be text').max(1000),
  xid: z.string('must be text').max(1000),
  /** The last digits of the beneficiary's account number, typed by the person. */
  confirmDigits: z
    .string('must be the last digits of the account number')
    .regex(/^\d{1,4}$/, 'must be up to four digits'),
})
export type SubmitPayoutInput = z.input<typeof Submission>
type ParsedSubmission = z.output<typeof Submission>

/** `refusedFields`: what the service's refusal says of single fields, by their path on the wire. */
export type SubmitPayoutResult = ActionResult<{ refusedFields: Record<string, string> }>

/** Executes a quote: exactly one payout, however often it is asked for. `resultId` of the operation is the payout's id. */
export function submitPayout(input: SubmitPayoutInput): Promise<SubmitPayoutResult> {
  return act(
    {
      kind: 'payout.submit',
      permission: 'payouts.submit',
      input: Submission,
      about: (idIn) => {
        const quoteId = idIn('quoteId')
        return quoteId ? { type: 'payout', id: quoteId, parentId: idIn('accountId'), label: null } : null
      },
      prepare,
    },
    input,
    (_record, row, parsed) => ({ refusedFields: refusedFieldsOf(row, parsed) }),
  )
}

/** Whether payouts may be submitted in an environment: the interface names the execution of a quote without its shape. */
export async function readPayoutOffer(environment: Environment): Promise<{ isOffered: boolean }> {
  await requirePermission('payouts.read', environment)
  return { isOffered: consoleSettings().executesPayouts[environment] }
}

async function prepare(
  submission: ParsedSubmission,
  staff: Staff,
): Promise<ActionRequest | { fields: Record<string, string> }> {
  const quote = factsOf(submission)
  const { environment, seal, confirmDigits } = submission
  if (!isSealed(environment, staff.id, quote, seal)) {
    return { fields: { quoteId: 'is not a quote that the console gave you; ask for a new one' } }
  }
  const { destination, ...rest } = partiesOf(submission)
  const issues = { ...partyIssues(submission), ...detailIssues(submission) }
  if (Object.keys(issues).length > 0) return { fields: issues }
  if (confirmDigits !== lastDigits(destination.accountNumber ?? '')) {
    return { fields: { confirmDigits: 'does not match the last digits of the account number' } }
  }
  const target = { type: 'payout', id: quote.id, parentId: quote.accountId, label: labelOf(submission) }
  await refuseWhereNotOffered(submission, staff, target)
  const { purpose, sourceOfFunds, remarks, xid } = submission
  const body: ExecutePayout = {
    quoteId: quote.id,
    destination,
    ...rest,
    purpose,
    sourceOfFunds,
    ...(remarks.trim() === '' ? {} : { remarks: remarks.trim() }),
    ...(xid.trim() === '' ? {} : { xid: xid.trim() }),
    // The interface names the key in the body; it goes in the header as well.
    idempotencyKey: submission.operationId,
  }
  const holdsSecret = submission.method === 'NETWORK_CARD' || holdsCardNumber(destination.accountNumber ?? '')
  const { accountId, sourceAmount, sourceCurrency, destinationAmount, destinationCurrency } = quote
  const expected = {
    accountId,
    sourceAmount,
    sourceCurrency,
    destinationAmount,
    destinationCurrency,
    expiresAt: quote.expiresAt,
  }
  return {
    target,
    endpoint: 'executePayout',
    body,
    holdsSecret,
    reason: purpose,
    comment: body.remarks ?? null,
    expected,
  }
}

async function refuseWhereNotOffered(
  { environment, operationId }: ParsedSubmission,
  { id, name, role }: Staff,
  target: ActionRequest['target'],
): Promise<void> {
  if (consoleSettings().executesPayouts[environment]) return
  const attempt = { id: operationId, environment, kind: 'payout.submit' as const, by: { id, name, role }, target }
  await auditRefusals({ ...attempt, reason: null, comment: null }, async () => {
    throw new Refusal(
      'PAYOUTS_NOT_OFFERED',
      `Submitting payouts is switched off for ${environment}. An administrator switches it on with SERVICE_PRODUCTION_PAYOUTS=on.`,
    )
  })
}

function factsOf(submission: ParsedSubmission): QuoteFacts {
  const { quoteId, method, accountId, sourceAmount, sourceCurrency, rate, expiresAt } = submission
  const { destinationCountry, destinationAmount, destinationCurrency } = submission
  return {
    id: quoteId,
    method,
    accountId,
    sourceAmount,
    sourceCurrency,
    destinationCountry,
    destinationAmount,
    destinationCurrency,
    rate,
    expiresAt,
  }
}

function lastDigits(accountNumber: string): string {
  return accountNumber.replaceAll(/\D/g, '').slice(-4)
}

/** What the audit trail says: how much, to whom. Of an account number never more than is on the payout itself. */
function labelOf({ destinationAmount, destinationCurrency, destination }: ParsedSubmission): string {
  const holder = `${destination.firstName.trim()} ${destination.surname.trim()}`
  return `${formatAmount(destinationAmount, destinationCurrency)} ${destinationCurrency} to ${holder}`
}

const fieldsByCode: Record<string, Record<string, string>> = {
  XID_ALREADY_EXISTS: { xid: 'is in use already' },
}

function refusedFieldsOf(row: OperationRow, submission: ParsedSubmission): Record<string, string> {
  if (row.state !== 'refused') return {}
  const named = row.message === null ? {} : fieldsOfRefusal(row.message, submission).fields
  return { ...named, ...fieldsByCode[row.code ?? ''] }
}
