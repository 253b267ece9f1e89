import 'server-only'
import { and, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { AuditFacts } from '#lib/audit/types.ts'
import { database } from '#lib/db/connection.ts'
import { openBody, type OperationRow } from '#lib/operations/journal.ts'
import { amount } from '#lib/shared/money.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { AuditRow } from '#lib/tables/audit.ts'
import { bulkItems } from '#lib/tables/bulk.ts'
import { indexedAccounts } from '#lib/tables/card-accounts.ts'
import { operations } from '#lib/tables/operations.ts'
import { watchedWebhooks } from '#lib/tables/webhooks.ts'

const LimitBody = z.object({ limit: z.number() })
const WebhookBody = z.object({ url: z.string() })

/** The facts of the entries of a page, by the entries' numbers. */
export async function readAuditFacts(
  environment: Environment,
  rows: readonly AuditRow[],
): Promise<Map<number, AuditFacts>> {
  const [journal, limitsBefore, accounts, addresses] = await Promise.all([
    readJournalRows(environment, rows),
    readEarlierLimits(rows),
    readAccounts(environment, rows),
    readAddresses(environment, rows),
  ])
  return new Map(
    rows.map((row) => {
      const operation = row.operationId === null ? undefined : journal.get(row.operationId)
      const account = accounts.get(findAccountId(row) ?? '')
      const limit = operation && readLimit(operation)
      return [
        row.number,
        {
          account: account ? { id: account.id, name: account.name, xid: account.xid } : null,
          limit: limit
            ? {
                before: operation.statusBefore ?? limitsBefore.get(operation.id) ?? null,
                after: limit,
                currency: account?.currency ?? null,
              }
            : null,
          address: (operation && readAddress(operation)) ?? addresses.get(row.targetId ?? '') ?? null,
          bodySha256: operation?.bodySha256 ?? null,
          resultId: operation?.resultId ?? null,
        },
      ]
    }),
  )
}

/** The card account that an entry is about, where its target is one or is something of one. */
function findAccountId({ targetType, targetId, targetParentId }: AuditRow): string | null {
  return targetType === 'cardaccount' ? targetId : targetType === 'fee' ? targetParentId : null
}

async function readJournalRows(
  environment: Environment,
  rows: readonly AuditRow[],
): Promise<Map<string, OperationRow>> {
  const ids = rows.flatMap(({ operationId }) => operationId ?? [])
  if (ids.length === 0) return new Map()
  const found = await database()
    .select()
    .from(operations)
    .where(and(eq(operations.environment, environment), inArray(operations.id, ids)))
  return new Map(found.map((row) => [row.id, row]))
}

/** A job wrote down what each limit was when it was confirmed. */
async function readEarlierLimits(rows: readonly AuditRow[]): Promise<Map<string, string | null>> {
  const ids = rows.flatMap(({ act, operationId }) => (act === 'account.set-limit' ? (operationId ?? []) : []))
  if (ids.length === 0) return new Map()
  const { operationId, facts } = bulkItems
  const found = await database().select({ operationId, facts }).from(bulkItems).where(inArray(operationId, ids))
  return new Map(found.map((item) => [item.operationId, item.facts.limitBefore ?? null]))
}

async function readAccounts(environment: Environment, rows: readonly AuditRow[]) {
  const ids = [...new Set(rows.flatMap((row) => findAccountId(row) ?? []))]
  if (ids.length === 0) return new Map<string, never>()
  const { id, name, xid, currency } = indexedAccounts
  const found = await database()
    .select({ id, name, xid, currency })
    .from(indexedAccounts)
    .where(and(eq(indexedAccounts.environment, environment), inArray(id, ids)))
  return new Map(found.map((account) => [account.id, account]))
}

async function readAddresses(environment: Environment, rows: readonly AuditRow[]): Promise<Map<string, string | null>> {
  const ids = rows.flatMap(({ targetType, targetId }) => (targetType === 'webhook' ? (targetId ?? []) : []))
  if (ids.length === 0) return new Map()
  const { id, url } = watchedWebhooks
  const found = await database()
    .select({ id, url })
    .from(watchedWebhooks)
    .where(and(eq(watchedWebhooks.environment, environment), inArray(id, ids)))
  return new Map(found.map((webhook) => [webhook.id, webhook.url]))
}

function readLimit(operation: OperationRow): string | null {
  if (operation.endpoint !== 'setFixedLimit') return null
  const body = LimitBody.safeParse(bodyJson(operation))
  return body.success ? amount(body.data.limit).toFixed() : null
}

function readAddress(operation: OperationRow): string | null {
  if (operation.endpoint !== 'createWebhook') return null
  return WebhookBody.safeParse(bodyJson(operation)).data?.url ?? null
}

function bodyJson(operation: OperationRow): unknown {
  const text = openBodyText(operation)
  return text === null ? null : JSON.parse(text)
}

/** The request's exact text; null where it held a secret, was erased, or was sealed with a key that is gone. */
export function openBodyText(operation: OperationRow): string | null {
  if (operation.holdsSecret) return null
  try {
    return openBody(operation)?.toString() ?? null
  } catch {
    return null
  }
}
