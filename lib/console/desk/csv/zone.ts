import { AppError } from '../app-error.ts'

/** The IANA zone in which a file writes its instants, if this runtime knows it; UTC without one. Throws `INVALID_PARAMETERS`. */
export function zoneOf(text: string | string[] | undefined): string {
  if (text === undefined || text === '') return 'UTC'
  try {
    if (typeof text === 'string') return new Intl.DateTimeFormat('en-GB', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    // Not a zone.
  }
  throw new AppError('INVALID_PARAMETERS', 'zone must be the name of a time zone, such as Asia/Hong_Kong')
}
