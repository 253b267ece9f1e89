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
