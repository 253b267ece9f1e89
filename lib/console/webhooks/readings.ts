import 'server-only'
import { type Webhook, type WebhookStats, withPrefix } from '#lib/contract/records.ts'
import { callService } from '#lib/environments/environments.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { type AppErrorCode, isAppError } from '#lib/shared/app-error.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { toDate } from '#lib/shared/time.ts'

export type Statistics = {
  status: string
  queuedMessages: number | null
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
}

/**
 * A webhook as the service has it now; null for values it does not provide. Where its statistics could not be read,
 * `problem` says why.
 */
export type Reading = {
  id: string
  name: string | null
  url: string | null
  events: string[] | null
  status: string | null
  otherFields: Record<string, unknown>
} & ({ stats: Statistics; problem: null } | { stats: null; problem: string })
/**
 * The webhooks that the service lists with their statistics; where it lists none, those whose ids the settings name. `known`: the ids of
 * webhooks that were there at the last reading, which are among them while they cannot be shown to be deleted.
 */
export async function readAtService(
  environment: Environment,
  known: readonly { id: string }[],
): Promise<{ readings: Reading[]; listedBy: 'service' | 'settings' }> {
  const ids = consoleSettings().webhookIds[environment]
  const listed = await callService(environment, 'listWebhooks', {}).then(
    ({ response }) => response.webhooks,
    (error: unknown) => {
      if (isAppError(error) && error.code !== 'SERVICE_UNREACHABLE') return error
      throw error
    },
  )
  const listedBy = listed instanceof Error && ids.length > 0 ? 'settings' : 'service'
  const found =
    listedBy === 'settings'
      ? merged(await Promise.all(ids.map((id) => fetchStatistics(environment, id))))
      : listed instanceof Error
        ? noStatistics(listed)
        : await fetchStatistics(environment, null)
  return { readings: toReadings(found, listed instanceof Error ? [] : listed, known), listedBy }
}

/** The statistics of a service; `problem` says why there are none, `problems` the same by webhook id in lower case. */
type FoundStatistics = {
  rows: WebhookStats[]
  excluded: number
  problem: string | null
  problems: ReadonlyMap<string, string>
}

function noStatistics({ message }: Error): FoundStatistics {
  return { rows: [], excluded: 0, problem: message, problems: new Map() }
}

const unknownCodes = new Set<AppErrorCode>(['WEBHOOK_NOT_FOUND', 'INVALID_PARAMETERS'])

/** The statistics of one webhook, or of all. An id that the service does not know has none. */
async function fetchStatistics(environment: Environment, webhookId: string | null): Promise<FoundStatistics> {
  try {
    const query = webhookId === null ? {} : { webhookId }
    const { response, excluded } = await callService(environment, 'listWebhookStats', { query })
    return { rows: response, excluded, problem: null, problems: new Map() }
  } catch (error) {
    if (!isAppError(error)) throw error
    if (webhookId === null) return noStatistics(error)
    const problems = unknownCodes.has(error.code) ? [] : [[webhookId.toLowerCase(), error.message] as const]
    return { rows: [], excluded: 0, problem: null, problems: new Map(problems) }
  }
}

function merged(found: readonly FoundStatistics[]): FoundStatistics {
  return {
    rows: found.flatMap(({ rows }) => rows),
    excluded: found.reduce((total, { excluded }) => total + excluded, 0),
    problem: null,
    problems: new Map(found.flatMap(({ problems }) => [...problems])),
  }
}

/** Each webhook that the service lists, has statistics of, or that was known and cannot be shown to be deleted. */
function toReadings(
  { rows, excluded, problem, problems }: FoundStatistics,
  listed: readonly Webhook[],
  known: readonly { id: string }[],
): Reading[] {
  const statsById = new Map(rows.map((row) => [row.id.toLowerCase(), row]))
  const listedById = new Map(listed.map((webhook) => [webhook.id.toLowerCase(), webhook]))
  const findProblem = (key: string) =>
    problem ??
    problems.get(key) ??
    (statsById.has(key)
      ? 'The statistics of this webhook have no status.'
      : listedById.has(key)
        ? 'The card service has no statistics of this webhook.'
        : excluded > 0
          ? 'The statistics have a record without an id.'
          : null)
  const unnamed = [...problems.keys()].map((id) => ({ id }))
  const first = new Map<string, string>()
  for (const { id } of [...rows, ...listed, ...known, ...unnamed]) {
    if (!first.has(id.toLowerCase())) first.set(id.toLowerCase(), id)
  }
  return [...first].flatMap(([key, id]): Reading[] => {
    const webhook = listedById.get(key)
    const { name = null, url = null, events = null, status = null } = webhook ?? {}
    const otherFields = { ...webhook?.otherFields, ...withPrefix('statistics', statsById.get(key)?.otherFields) }
    const about = { id, name, url, events, status, otherFields }
    const stats = statisticsIn(statsById.get(key))
    if (stats) return [{ ...about, stats, problem: null }]
    const why = findProblem(key)
    return why === null ? [] : [{ ...about, stats: null, problem: why }]
  })
}

/** Null where the record does not say the status: it says nothing of the webhook's health then. */
function statisticsIn(row: WebhookStats | undefined): Statistics | null {
  if (!row || row.status === null) return null
  return {
    status: row.status,
    queuedMessages: row.queuedMessages,
    lastSuccessAt: toDate(row.lastSuccessfulDeliveryTime),
    lastFailureAt: toDate(row.lastFailedDeliveryTime),
  }
}
