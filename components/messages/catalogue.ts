import type { Language } from '#lib/shared/locale.ts'
import { en, type Messages } from './en.ts'
import { zhHant } from './zh-hant.ts'

const catalogue: Record<Language, Messages> = { en, 'zh-Hant': zhHant }

/** The texts of a language. */
export function messagesIn(language: Language): Messages {
  return catalogue[language]
}
