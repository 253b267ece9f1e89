import { timeZones } from './time.ts'

/** The languages of texts that leave the console: embedded views, and what a cardholder gets. */
export type Language = 'en' | 'zh-Hant'

/** A language's tag for `lang` and `Intl`. Chinese is as banks in Hong Kong write it. */
export const languageTags: Record<Language, string> = { en: 'en-HK', 'zh-Hant': 'zh-Hant-HK' }

/** How texts are written for a person: the language, which decides the format of numbers and dates, and an IANA time zone. */
export type Locale = { language: Language; timeZone: string }

/** The language of a tag such as `zh-HK`, `zh-TW` or `zh-Hant`; English for any other one, Simplified Chinese included. */
export function toLanguage(tag: string | null): Language {
  return /^zh[-_](?:hant|hk|mo|tw)/i.test(tag ?? '') ? 'zh-Hant' : 'en'
}

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
