import 'server-only'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { escapedForNotice, noticeAttempts, noticeRetryAt, notifyUrl, postNotice } from '#lib/audit/notify.ts'
import { mayBeDeletedNow } from '#lib/contract/webhook-deletion.ts'
import { webhookTitle } from '#lib/contract/webhook-title.ts'
import { database } from '#lib/db/connection.ts'
import { claimDue } from '#lib/db/queue.ts'
import { inBackground } from '#lib/environments/background.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { isAppError } from '#lib/shared/app-error.ts'
import { logFailure } from '#lib/shared/log.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { hourMs, minuteMs } from '#lib/shared/time.ts'
import { webhookNotices, webhookTransitions } from '#lib/tables/webhooks.ts'
import { pollWebhooks } from './poll.ts'
import { readPanel } from './read.ts'
import type { AlertLevel, WebhookHealth } from './types.ts'

/** One round in the background: a poll where the last is old enough, and the notices that follow. */
export async function watchWebhooks(environment: Environment): Promise<void> {
  try {
    await inBackground(() => pollWebhooks(environment))
    await writeWebhookNotices(environment)
  } catch (error) {
    // The service does not respond: its health is shown on every page.
    if (!isAppError(error)) throw error
  }
  await sendWebhookNotices()
}

/** Writes a notice for each level that a webhook has newly reached: once an episode, whichever process sees it first. */
export async function writeWebhookNotices(environment: Environment): Promise<void> {
  if (!notifyUrl()) return
  const db = database()
  const { webhooks, serviceNowMs } = await readPanel(environment, { withCharts: false })
  for (const webhook of webhooks) {
    const reported = webhook.level ?? (webhook.state === 'healthy' ? 'recovered' : null)
    if (reported === null) continue
    if (webhook.level === 'unreadable' && !isLasting(webhook, serviceNowMs)) continue
    const episode =
      webhook.level === 'unreadable' ? unreadableSinceMinute(webhook) : await readEpisode(environment, webhook.id)
    if (episode === null || (reported === 'recovered' && !(await hasNotice(environment, webhook.id, episode)))) continue
    const now = new Date()
    await db
      .insert(webhookNotices)
      .values({
        environment,
        webhookId: webhook.id,
        episode,
        level: reported,
        text: formatNotice(environment, webhook, reported, serviceNowMs),
        createdAt: now,
        nextAttemptAt: now,
      })
      .onConflictDoNothing()
  }
}

/** A single failed poll causes no notice. */
const unreadableNoticeMs = 5 * minuteMs

function isLasting({ unreadable }: WebhookHealth, nowMs: number): boolean {
  return unreadable !== null && nowMs - unreadable.sinceMs >= unreadableNoticeMs
}

/** Unreadable statistics are no transition: the minute in which they began is their episode. */
function unreadableSinceMinute({ unreadable }: WebhookHealth): number | null {
  return unreadable && Math.floor(unreadable.sinceMs / minuteMs)
}

/** Sends waiting notices. One counts as sent when the URL returned 2xx; a crash just before may send it again. */
export async function sendWebhookNotices(): Promise<void> {
  if (!notifyUrl()) return
  const db = database()
  const { environment, webhookId, episode, level, attempts, nextAttemptAt, sentAt, createdAt } = webhookNotices
  const rows = await claimDue(db, webhookNotices, {
    key: [environment, webhookId, episode, level],
    due: sql`${sentAt} is null and ${attempts} < ${noticeAttempts} and ${nextAttemptAt} <= clock_timestamp()`,
    order: sql`${createdAt}`,
    limit: 20,
    set: {
      attempts: sql`${attempts} + 1`,
      nextAttemptAt: noticeRetryAt(attempts),
    },
  })
  for (const { environment, webhookId, episode, level, text } of rows) {
    try {
      await postNotice(text)
      await db
        .update(webhookNotices)
        .set({ sentAt: new Date() })
        .where(
          and(
            isOfEpisode(environment, webhookId, episode),
            eq(webhookNotices.level, level),
            isNull(webhookNotices.sentAt),
          ),
        )
    } catch (error) {
      logFailure(error, { while: 'sending a notice', webhook: webhookId })
    }
  }
}

/** The transition by which the webhook last left its health; null where it never did. */
async function readEpisode(environment: Environment, webhookId: string): Promise<number | null> {
  const { rows } = await database().execute<{ episode: string | null }>(sql`
    select min(number) as episode from ${webhookTransitions}
    where environment = ${environment} and webhook_id = ${webhookId} and status_after <> 'healthy'
      and number > coalesce((
        select max(number) from ${webhookTransitions} healed
        where healed.environment = ${environment} and healed.webhook_id = ${webhookId} and healed.status_after = 'healthy'
          and exists (select 1 from ${webhookTransitions} later where later.environment = ${environment}
            and later.webhook_id = ${webhookId} and later.number > healed.number)), 0)`)
  const episode = rows[0]?.episode
  return episode === null || episode === undefined ? null : Number(episode)
}

async function hasNotice(environment: Environment, webhookId: string, episode: number): Promise<boolean> {
  const rows = await database()
    .select({ level: webhookNotices.level })
    .from(webhookNotices)
    .where(isOfEpisode(environment, webhookId, episode))
    .limit(1)
  return rows.length > 0
}

function isOfEpisode(environment: Environment, webhookId: string, episode: number) {
  const { environment: ofNotice, webhookId: about, episode: during } = webhookNotices
  return and(eq(ofNotice, environment), eq(about, webhookId), eq(during, episode))
}

type Level = AlertLevel | 'recovered'

const sentences: Record<Level, (queued: string, left: string | null) => string> = {
  unreadable: () => 'has statistics that cannot be read, so its health is not known.',
  unhealthy: (queued) => `is unhealthy: a delivery failed and is being retried, with ${queued} behind it.`,
  suspended: (queued, left) =>
    `is suspended: deliveries have stopped. It is deleted in about ${left}, with ${queued}, unless it returns 200 for a ping.`,
  'six-hours': (queued, left) =>
    `is suspended and will be deleted in less than 6 hours (about ${left}), with ${queued}.`,
  'one-hour': (queued, left) =>
    left === null
      ? `is suspended and could be deleted at any time, with ${queued}.`
      : `is suspended and will be deleted in less than 1 hour (about ${left}), with ${queued}.`,
  deleted: (queued) => `was deleted while its endpoint failed, with ${queued}. Create it again.`,
  recovered: () => 'is healthy again.',
}

function queuedText(queued: number | null): string {
  if (queued === null) return 'an unknown number of queued events'
  return queued === 1 ? '1 queued event' : `${queued} queued events`
}

function formatNotice(environment: Environment, webhook: WebhookHealth, reported: Level, nowMs: number): string {
  const { queuedMessages, suspension } = webhook
  const queued = queuedText(queuedMessages)
  const leftMs = Math.max(0, (suspension?.deletionDueMs ?? nowMs) - nowMs)
  const isAnyTime = mayBeDeletedNow(suspension, nowMs)
  const left = isAnyTime ? null : `${Math.floor(leftMs / hourMs)} h ${Math.floor((leftMs % hourMs) / minuteMs)} min`
  const escaped = escapedForNotice(webhookTitle(webhook))
  const page = `${consoleSettings().consoleUrl}${routes.webhooks(environment)}`
  return `[${environment}] Webhook ${escaped} ${sentences[reported](queued, left)} ${page}`
}
