import 'server-only'
import { and, desc, eq, gt, inArray, isNotNull } from 'drizzle-orm'
import { type HelpDeskPolicy, type RequestKind, requestKinds, requestRow } from '#lib/api/help-desk-requests.ts'
import type { Card, FeeEntry } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import { findHelpDeskPolicy } from '#lib/operations/approvals/help-desk.ts'
import { nullOn } from '#lib/shared/app-error.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isoTime, dayMs } from '#lib/shared/time.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { operations, type OperationState } from '#lib/tables/operations.ts'
import { notes } from '#lib/tables/team.ts'
import { canBeLocked } from '../cards/operations.ts'
import { isVoid } from '../fees/fee-record.ts'
import { findFee } from '../transactions/detail.ts'
import type { Authorized } from './authorize.ts'
import type { EmbedRecords, RequestState, TicketRequests } from './types.ts'

const mostMade = 5
/** How long a request is shown, and stands in the way of another of its kind. */
export const shownForMs = 7 * dayMs

/** Requests that a help desk can make about the object of a view, and those that it made; null for a token without a ticket. */
export async function readRequests(claims: Authorized, records: EmbedRecords): Promise<TicketRequests | null> {
  const { ticketOrigin, creator, opened } = claims
  if (!ticketOrigin) return null
  const { environment } = opened
  const policy = await findHelpDeskPolicy(database(), environment)
  const fee = await readOpenedFee(claims, records)
  const made = await listMade(environment, creator.id, [opened.id, ...(fee ? [fee.id] : [])])
  return { offers: listOffers(policy, records, fee, made), made }
}

/** The fee of a transaction; null for any other record. */
export async function readOpenedFee({ opened }: Authorized, records: EmbedRecords): Promise<FeeEntry | null> {
  if (records.type !== 'transaction') return null
  return nullOn(findFee(opened.environment, records.account.id, records.transaction))
}

/** Requests that the policy allows and the record needs, without those under way. */
function listOffers(
  policy: HelpDeskPolicy,
  records: EmbedRecords,
  fee: FeeEntry | null,
  made: TicketRequests['made'],
): TicketRequests['offers'] {
  const card = records.type === 'card' ? records.card : null
  const isPossible: Record<RequestKind, boolean> = {
    lock: card !== null && canBeLocked(card.status),
    replace: card !== null && card.replacedBy === null && toIssuance(card) !== null,
    waive: fee !== null && !isVoid(fee),
    'call-back': true,
  }
  return requestKinds.flatMap((kind) => {
    const way = policy[kind]
    const isOpen = made.some((one) => one.kind === kind && openStates.has(one.state))
    const isOffered = requestRow(kind).types.includes(records.type) && isPossible[kind] && !isOpen
    return way && isOffered ? [{ kind, way }] : []
  })
}

const openStates: ReadonlySet<RequestState> = new Set(['waiting', 'sending', 'unknown', 'open', 'taken'])

/** A card like this one; null where the service doesn't say what it is. */
export function toIssuance({ product, embossedName }: Card) {
  const type = (['virtual', 'physical'] as const).find((one) => one === product?.cardType?.toLowerCase())
  return type && product?.id && embossedName ? { type, productId: product.id, embossedName } : null
}

/** The latest requests of a help desk about these records. */
async function listMade(
  environment: Environment,
  keyId: string,
  targetIds: readonly string[],
): Promise<TicketRequests['made']> {
  const since = new Date(Date.now() - shownForMs)
  const madeIn = (table: typeof operations | typeof notes) =>
    and(
      eq(table.environment, environment),
      inArray(table.targetId, [...targetIds]),
      eq(table.staffId, keyId),
      isNotNull(table.ticketOrigin),
      gt(table.createdAt, since),
    )
  const { id, kind, ticketOrigin, state, needsApproval, createdAt } = operations
  const [sent, noted] = await Promise.all([
    database()
      .select({
        id,
        kind,
        ticketOrigin,
        state,
        needsApproval,
        createdAt,
        expiresAt: approvals.expiresAt,
        decisionReason: approvals.decisionReason,
      })
      .from(operations)
      .leftJoin(approvals, eq(approvals.id, id))
      .where(madeIn(operations))
      .orderBy(desc(createdAt))
      .limit(mostMade),
    database().select().from(notes).where(madeIn(notes)).orderBy(desc(notes.createdAt)).limit(mostMade),
  ])
  const made = [
    ...sent.map((row) => ({
      ...row,
      kind: requestKinds.find((one) => requestRow(one).operation === row.kind),
      state: toRequestState(row.state, row.needsApproval),
      expiresAt: row.state === 'waiting' ? row.expiresAt : null,
      reason: row.state === 'declined' ? row.decisionReason : null,
    })),
    ...noted.map((row) => ({
      ...row,
      kind: 'call-back' as const,
      state: row.doneAt ? ('finished' as const) : row.takenAt ? ('taken' as const) : ('open' as const),
      expiresAt: null,
      reason: null,
    })),
  ]
  return made
    .toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
    .slice(0, mostMade)
    .flatMap(({ id: requestId, kind: of, ticketOrigin: origin, state: is, createdAt: at, expiresAt, reason }) =>
      of && origin
        ? [
            {
              id: requestId,
              kind: of,
              origin,
              state: is,
              reason,
              createdAt: at.toISOString(),
              expiresAt: isoTime(expiresAt),
            },
          ]
        : [],
    )
}

function toRequestState(state: OperationState, needsApproval: boolean): RequestState {
  if (state === 'done' || state === 'partial') return needsApproval ? 'approved-done' : 'done'
  if (state === 'queued' || state === 'approved') return 'sending'
  return state === 'withdrawn' ? 'declined' : state
}
