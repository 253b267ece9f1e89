import { pino } from 'pino'
import { describeRootCause } from './root-cause.ts'
import { minuteMs } from './time.ts'

const output = { write: (line: string) => void process.stdout.write(line) }

/** Kinds of failures that are counted at once. */
const mostCounted = 500

/** The log of one of the two programs. `sealingKey` is the setting that its secrets are sealed with. */
export function openLog(name: string, sealingKey: string) {
  const logger = pino({ name, base: undefined }, output)
  const repetitions = new Map<string, number>()
  return {
    logger,
    /**
     * Logs an unexpected failure: only its root cause, since a query's parameters can be anything that somebody typed or sent. One that
     * repeats within a minute is counted and logged at the end of it: an outage is a few lines, not hundreds.
     */
    logFailure(failure: unknown, where: Readonly<Record<string, string>>): void {
      const entry = { ...where, error: describeRootCause(failure) }
      const key = JSON.stringify(entry)
      const known = repetitions.get(key)
      if (known !== undefined) return void repetitions.set(key, known + 1)
      logger.error(entry, 'unexpected failure')
      if (repetitions.size >= mostCounted) return
      repetitions.set(key, 0)
      setTimeout(() => {
        const times = repetitions.get(key)
        repetitions.delete(key)
        if (times) logger.error({ ...entry, times }, 'the same unexpected failure, within a minute')
      }, minuteMs).unref()
    },
    /** Every stored secret is sealed with the present key and algorithm: once every process has it, a previous key may be removed from the settings. */
    logResealed(rows: number): void {
      logger.info({ rows }, `everything is sealed with the ${sealingKey} of this process`)
    },
  }
}

const { logger, logFailure, logResealed } = openLog('carddesk console', 'CONSOLE_SEALING_KEY')
export { logFailure, logResealed }

/** The problems of a sign-in that next-auth names. */
const signInProblems = new Set([
  'GET_AUTHORIZATION_URL_ERROR',
  'OAUTH_CALLBACK_ERROR',
  'OAUTH_CALLBACK_HANDLER_ERROR',
  'OAUTH_PARSE_PROFILE_ERROR',
  'SIGNIN_OAUTH_ERROR',
])

/** A problem of next-auth's, only by its code, where that is a known one: anything else may hold tokens. */
export function logSignIn(code: string): void {
  logger.warn({ code: signInProblems.has(code) ? code : 'OTHER' }, 'sign-in problem')
}

/** Somebody without a session tried to get past a check; refused attempts of staff are in the audit log. */
export function logRefused(attempt: string, where: Readonly<Record<string, string | number>>): void {
  logger.warn(where, `refused: ${attempt}`)
}

/** The audit log does not hold. The message names the first entry or checkpoint that does not. */
export function logAuditBreak(message: string): void {
  logger.fatal({ audit: message }, 'the audit log was changed outside Carddesk')
}
