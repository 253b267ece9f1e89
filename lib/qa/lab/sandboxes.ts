import 'server-only'
import { z } from 'zod'
import { createServiceClient, type ServiceClient } from '#lib/client/service-client.ts'
import { isServiceError } from '#lib/client/service-error.ts'
import type { ServiceConnection } from '#lib/client/service-profile.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import type {
  Account,
  Card,
  CardAccount,
  CardAccountTransaction,
  Payout,
  ReceivedResponse,
  Webhook,
} from '#lib/contract/records.ts'
import { baseUrlIn, builtInControl } from '#lib/environments/control-plane.ts'
import { callService, requireConnection, requireService } from '#lib/environments/environments.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { parseInput, plainText, ServiceId } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { type LabSearch, readControl, requireControl, SandboxId, sandboxIn, sandboxIsGone } from './control.ts'

/** Which sandbox a call of the lab is for; null for the one that everybody shares. */
export type Where = { environment: Environment; sandbox: string | null }

const Sandbox = z.object({
  id: SandboxId,
  /** `seed`, or the id or name of a snapshot. */
  from: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  baseUrl: z.string(),
  controlUrl: z.string(),
  /** Key of this sandbox alone. */
  accessKey: z.string(),
})

/** The sandboxes of their own, the newest first, and the snapshots that one can be made of. Times are real. */
export async function listSandboxes(
  environment: Environment,
): Promise<{ sandboxes: z.output<typeof Sandbox>[]; snapshots: { id: string; name: string }[] }> {
  const control = requireControl(environment)
  const Snapshots = z.object({ snapshots: z.array(z.object({ id: z.string(), name: z.string() })) })
  const [{ sandboxes }, { snapshots }] = await Promise.all([
    readControl(control, '/sandboxes', z.object({ sandboxes: z.array(Sandbox) })),
    readControl(control, '/snapshots', Snapshots),
  ])
  return { sandboxes, snapshots }
}

/** The connection to the interface of a sandbox. Throws `NOT_CONNECTED`, and `SANDBOX_NOT_FOUND` where a real service has none. */
export function connectionIn({ environment, sandbox }: Where): ServiceConnection {
  const connection = requireConnection(environment)
  if (sandbox !== null && !builtInControl(environment)) throw sandboxIsGone()
  return { ...connection, baseUrl: baseUrlIn(connection.baseUrl, sandbox) }
}

const clients = globalSingleton<Map<string, ServiceClient>>('carddeskSandboxClients', () => new Map())
/** The clients that are stored at most: as many as there can be sandboxes. */
const mostClients = 32

/** The signing client of a sandbox. What it meets is no fact about the console's own service. */
export function clientIn(where: Where): ServiceClient {
  const { environment, sandbox } = where
  if (sandbox === null) return requireService(environment)
  const cached = clients().get(sandbox)
  if (cached) return cached
  const [oldest] = clients().keys()
  if (oldest !== undefined && clients().size >= mostClients) {
    void clients().get(oldest)?.close()
    clients().delete(oldest)
  }
  const client = createServiceClient(connectionIn(where))
  clients().set(sandbox, client)
  return client
}

/** Reads from the interface of a sandbox. Throws an `AppError` for people. */
export async function callIn<Name extends EndpointName>(
  where: Where,
  name: Name,
  input: Parameters<typeof callService<Name>>[2],
): Promise<ReceivedResponse<Name>> {
  if (where.sandbox === null) return (await callService(where.environment, name, input)).response
  try {
    return (await clientIn(where).call(name, input, { attempts: 1, deadlineMs: 8 * secondMs })).response
  } catch (error) {
    if (!isServiceError(error)) throw error
    throw new AppError('SERVICE_UNREACHABLE', 'This sandbox didn’t respond as expected.', error.requestId)
  }
}

const Query = z.strictObject({
  kind: plainText(50).optional(),
  sandbox: SandboxId.optional(),
  q: plainText(200).optional(),
  cardAccountId: ServiceId.optional(),
})

/** Pages of accounts that are looked through for a name. */
const mostAccountPages = 10
const mostFound = 8

/** Records of one kind to choose from, in a sandbox of its own, which the console's lists don't have. */
export async function readSandboxRecords(
  environment: Environment,
  search: LabSearch & { kind?: string; q?: string; cardAccountId?: string },
) {
  const { kind, sandbox = null, q = '', cardAccountId = '' } = parseInput(Query, search)
  const where = { environment, sandbox }
  const found = {
    cardAccounts: [] as CardAccount[],
    cards: [] as Card[],
    transactions: [] as CardAccountTransaction[],
    payouts: [] as Payout[],
    accounts: [] as Account[],
  }
  if (kind === 'card-accounts') {
    found.cardAccounts = await findAccounts(where, q)
  } else if (kind === 'cards') {
    found.cards = (await callIn(where, 'listCards', { query: { cardAccountId } })).cards
  } else if (kind === 'transactions') {
    const query = { cardAccountId, pageSize: '50' }
    found.transactions = (await callIn(where, 'listCardAccountTransactions', { query })).transactions
  } else if (kind === 'payouts') {
    const { payouts } = await callIn(where, 'listPayouts', { query: { pageSize: '50' } })
    found.payouts = payouts.filter(({ id, xid, destination }) => isMatch([id, xid, destination?.accountHolderName], q))
  } else if (kind === 'funding-accounts') found.accounts = (await callIn(where, 'listAccounts', {})).accounts
  else throw new AppError('INVALID_PARAMETERS', 'There are no such records.')
  return found
}

async function findAccounts(where: Where, q: string): Promise<CardAccount[]> {
  const found: CardAccount[] = []
  let next: string | null = null
  for (let page = 0; page < mostAccountPages && (page === 0 || next !== null) && found.length < mostFound; page += 1) {
    const query: Record<string, string> = { pageSize: '100', ...(next === null ? {} : { pageToken: next }) }
    const { cardaccounts, nextPageToken }: ReceivedResponse<'listCardAccounts'> = await callIn(
      where,
      'listCardAccounts',
      { query },
    )
    found.push(...cardaccounts.filter(({ id, xid, name }) => isMatch([id, xid, name], q)))
    next = nextPageToken
  }
  return found.slice(0, mostFound)
}

function isMatch(texts: readonly (string | null | undefined)[], q: string): boolean {
  return q === '' || texts.some((text) => text?.toLowerCase().includes(q.toLowerCase()) ?? false)
}

/** The webhooks of a sandbox of its own, with how many messages wait for each. */
export async function listSandboxWebhooks(
  environment: Environment,
  search: LabSearch,
): Promise<{ webhooks: (Webhook & { queuedMessages: number | null })[] }> {
  const where = { environment, sandbox: sandboxIn(search) }
  const [{ webhooks }, stats] = await Promise.all([
    callIn(where, 'listWebhooks', {}),
    callIn(where, 'listWebhookStats', {}),
  ])
  const queuedMessages = (id: string) => stats.find((one) => one.id === id)?.queuedMessages ?? null
  return { webhooks: webhooks.map((webhook) => ({ ...webhook, queuedMessages: queuedMessages(webhook.id) })) }
}
