import { pino } from 'pino'
import { rootCause } from '#lib/db/errors.ts'

const logger = pino({ name: 'carddesk service', base: undefined })

/** Logs an unexpected failure. Only the root cause is written: a query's parameters can be anything a caller sent. */
export function logFailure(failure: unknown, where: Readonly<Record<string, string>>): void {
  const cause = rootCause(failure)
  const { name, message, stack, code } = cause as Partial<NodeJS.ErrnoException>
  logger.error({ ...where, error: { name, message, code, stack } }, 'unexpected failure')
}

/** Card numbers and the service's own keys are sealed with the new key, so that the previous one may be removed from the settings. */
export function logResealed(rows: number): void {
  logger.info({ rows }, 'everything is sealed with CARD_NUMBER_KEY: CARD_NUMBER_KEY_PREVIOUS may be removed')
}
