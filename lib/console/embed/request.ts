import 'server-only'
import { z } from 'zod'
import { operationDefinition } from '#lib/api/actions.ts'
import {
  type RequestKind,
  requestKinds,
  requestRow,
  type RequestWay,
  type TicketOrigin,
} from '#lib/api/help-desk-requests.ts'
import { auditRefusedAttempts } from '#lib/audit/refused-attempts.ts'
import type { Actor } from '#lib/audit/types.ts'
import { oneOf } from '#lib/contract/fields.ts'
import { database } from '#lib/db/connection.ts'
import { performFromTicket } from '#lib/operations/act.ts'
import { findTicketApprovalNeed, requireRequestWay } from '#lib/operations/approvals/help-desk.ts'
import { findOperation } from '#lib/operations/journal.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { noCardNumber, parseInput, plainText } from '#lib/shared/parse.ts'
import { type Reason, reasonLabels } from '#lib/shared/reasons.ts'
import { noteFromTicket } from '../notes/write.ts'
// Registers the operations, which lib/operations finds by their kind.
import '../operation-table.ts'
import { type Authorized, authorizeChange } from './authorize.ts'
import { embedResponse, requireLimit } from './http.ts'
import { readRecords } from './read-records.ts'
import { readOpenedFee, toIssuance, readRequests, shownForMs } from './read-requests.ts'
import type { EmbedRecords } from './types.ts'

/** Shorter than the comment of an operation, which has the ticket before it. */
const longestNote = 400

const RequestInput = z
  .strictObject({
    /** Made by the frame as its form opens: the same request under double click, reload of the host and retry. */
    requestId: z.uuid('must be a UUID').toLowerCase(),
    kind: oneOf(requestKinds),
    reason: z.enum(Object.keys(reasonLabels) as Reason[], 'must be one of the listed reasons').nullish(),
    note: plainText(longestNote)
      .trim()
      .refine(...noCardNumber)
      .default(''),
  })
  .refine(({ reason, note }) => reason !== 'other' || note !== '', {
    path: ['note'],
    message: 'must say what the reason is',
  })
type ParsedRequest = z.output<typeof RequestInput>

/**
 * `POST /api/embed/requests`: an agent requests something about the object of a view, in the name that the token asserts and for its
 * ticket. It waits for an approval, is carried out at once, or is handed over to Operations, as the policy says. The same
 * `requestId` is one request, however often it is sent. Throws `REQUEST_NOT_ALLOWED` for anything that the view doesn't offer.
 */
export function respondToTicketRequest(request: Request): Promise<Response> {
  return embedResponse(request, async () => {
    const claims = await authorizeChange(request)
    const { creator, ticketOrigin, keyName, opened } = claims
    if (!ticketOrigin || keyName === null) {
      throw new AppError('REQUEST_NOT_ALLOWED', 'The token names no agent and no ticket.')
    }
    requireLimit('requests', `${creator.id} ${ticketOrigin.agent.email}`, 'Too many requests were sent.')
    const given = parseInput(RequestInput, await request.json().catch(() => null))
    const by: Actor = { id: creator.id, name: `${ticketOrigin.agent.name} (${keyName})`, role: null }
    const { records } = await readRecords(opened, claims.customer)
    const asking = { ...claims, ticketOrigin, by, records }
    const way = await decideWay(asking, given)
    if (requestRow(given.kind).operation === null) await handOver(asking, given)
    else await start(asking, given, way)
    return { status: 201, body: { id: given.requestId } }
  })
}

type Asking = Authorized & { ticketOrigin: TicketOrigin; by: Actor; records: EmbedRecords }

/** The policy's way for a request that the view offers; a refused one is audited. One that was made before is found by its id. */
async function decideWay(asking: Asking, { requestId, kind }: ParsedRequest): Promise<RequestWay> {
  const { opened, by, records } = asking
  const { environment } = opened
  const { operation } = requestRow(kind)
  const attempt = { environment, by, kind: operation ?? 'note.add', id: requestId, target: toTarget(asking) }
  return auditRefusedAttempts(attempt, async () => {
    const requests = await readRequests(asking, records)
    const known = await findOperation(database(), requestId)
    const isKnown = known?.staffId === by.id && known.kind === operation
    if (isKnown || requests?.made.some((one) => one.id === requestId && one.kind === kind)) return 'approval'
    const way = await requireRequestWay(database(), environment, kind)
    if (requests?.offers.some((offer) => offer.kind === kind)) return way
    throw new AppError('REQUEST_NOT_ALLOWED', 'This can’t be requested for this record now.')
  })
}

function toTarget({ opened: { type, id, cardAccountId } }: Asking) {
  return { type: type === 'card-account' ? 'cardaccount' : type, id, parentId: cardAccountId, label: null }
}

async function start(asking: Asking, { requestId, kind, reason, note }: ParsedRequest, way: RequestWay): Promise<void> {
  const { opened, by, ticketOrigin } = asking
  const { environment } = opened
  const { operation } = requestRow(kind)
  const input = await makeInput(asking, kind)
  if (operation === null || input === null) {
    throw new AppError('REQUEST_NOT_ALLOWED', 'This can’t be requested for this record now.')
  }
  const hasReasons = operationDefinition(operation).reasons !== undefined
  await performFromTicket(
    operation,
    {
      ...input,
      environment,
      operationId: requestId,
      ...(hasReasons && reason ? { reason } : {}),
      comment: [`Ticket ${ticketOrigin.ticket}`, note].filter(Boolean).join(': '),
    },
    by,
    {
      ticketOrigin,
      findNeed:
        way === 'immediate' ? null : await findTicketApprovalNeed(database(), environment, operation, by, ticketOrigin),
    },
  )
}

/** The fields of the operation beside those that every one has; null for a record that it is not about. */
async function makeInput(asking: Asking, kind: RequestKind): Promise<object | null> {
  const { records } = asking
  if (kind === 'waive') {
    const fee = await readOpenedFee(asking, records)
    return fee && { feeId: fee.id }
  }
  if (records.type !== 'card') return null
  const ids = { cardAccountId: records.account.id, cardId: records.card.id }
  if (kind === 'lock') return ids
  const issuance = toIssuance(records.card)
  return issuance && { ...ids, ...issuance, xid: '', isLost: false }
}

/** A hand-over for Operations, which is nothing to the card service. */
async function handOver(asking: Asking, { requestId, note }: ParsedRequest): Promise<void> {
  const { opened, by, ticketOrigin } = asking
  const text = `Call the customer back, ticket ${ticketOrigin.ticket}.${note === '' ? '' : ` ${note}`}`
  await noteFromTicket({
    environment: opened.environment,
    noteId: requestId,
    targetType: opened.type === 'card' ? 'card' : 'cardaccount',
    targetId: opened.id,
    text,
    by,
    ticketOrigin,
    aloneSince: new Date(Date.now() - shownForMs),
  })
}
