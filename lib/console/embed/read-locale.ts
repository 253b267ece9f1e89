import { type Locale, toLanguage } from '#lib/shared/locale.ts'
import { timeZones } from '#lib/shared/time.ts'

/** The IANA name of a time zone in its usual spelling; Hong Kong's for a name that there is not. */
function toTimeZone(name: string | null): string {
  if (!/^[a-z]/i.test(name ?? '')) return timeZones.hkt
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name ?? '' }).resolvedOptions().timeZone
  } catch {
    return timeZones.hkt
  }
}

/** The locale that a URL names as `lang` and `time-zone`. */
export function readLocale(search: URLSearchParams): Locale {
  return { language: toLanguage(search.get('lang')), timeZone: toTimeZone(search.get('time-zone')) }
}
