import { pino } from 'pino'
import { describeRootCause } from '#lib/shared/root-cause.ts'

const output = { write: (line: string) => void process.stdout.write(line) }
const logger = pino({ name: 'carddesk service', base: undefined }, output)

/** Logs an unexpected failure. Only the root cause is written: a query's parameters can be anything a caller sent. */
export function logFailure(failure: unknown, where: Readonly<Record<string, string>>): void {
  logger.error({ ...where, error: describeRootCause(failure) }, 'unexpected failure')
}

/** Card numbers and the service's own keys are sealed with the present key and algorithm: a previous key may be removed from the settings. */
export function logResealed(rows: number): void {
  logger.info({ rows }, 'everything is sealed with CARD_NUMBER_KEY: CARD_NUMBER_KEY_PREVIOUS may be removed')
}
