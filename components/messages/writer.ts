import { findEntry } from '#components/ui/code-entry.ts'
import { formatAmount } from '#lib/shared/currency.ts'
import { type Locale, languageTags } from '#lib/shared/locale.ts'
import { timeZones } from '#lib/shared/time.ts'
import { messagesIn } from './catalogue.ts'
import type { CodeText } from './parts.ts'

const day = { day: 'numeric', month: 'short' } as const
const minute = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
/** `short` leaves out the year. */
const layouts = {
  'date-time': { year: 'numeric', ...day, ...minute },
  short: { ...day, ...minute },
  date: { year: 'numeric', ...day },
  'time-seconds': { ...minute, second: '2-digit' },
} satisfies Record<string, Intl.DateTimeFormatOptions>

const formats = new Map<string, Intl.DateTimeFormat>()

function dateFormat({ language, timeZone }: Locale, layout: keyof typeof layouts): Intl.DateTimeFormat {
  const key = `${language} ${timeZone} ${layout}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(languageTags[language], { ...layouts[layout], timeZone })
  formats.set(key, format)
  return format
}

type Figure = number | string | null
export type Writer = ReturnType<typeof createWriter>

/** The texts of a locale, and what writes values in it. */
export function createWriter(locale: Locale) {
  const texts = messagesIn(locale.language)
  const tag = languageTags[locale.language]

  /** An amount without its currency: "1,234.50", or "not provided". */
  function figure(amount: Figure, currency: string | null, isSigned = false): string {
    return amount === null || amount === ''
      ? texts.notProvided
      : formatAmount(amount, currency || null, { tag, signed: isSigned })
  }

  return {
    texts,
    figure,
    /** An amount with its currency: "1,234.50 HKD", or "not provided". */
    amount(amount: Figure, currency: string | null): string {
      return amount === null
        ? texts.notProvided
        : `${figure(amount, currency)} ${currency || texts.currencyNotProvided}`
    },
    /** An instant in the time zone; null where it is no date. */
    time(instant: string | null, layout: keyof typeof layouts = 'date-time'): string | null {
      const instantMs = Date.parse(instant ?? '')
      // The English of Hong Kong writes September with four letters, the console with three.
      return Number.isNaN(instantMs)
        ? null
        : dateFormat(locale, layout)
            .format(instantMs)
            .replace(/(?<=Sep)t/, '')
    },
    /** The short name of the time zone at an instant: "HKT", "GMT+9". */
    zone(instant: string): string {
      const { timeZone } = locale
      if (timeZone === timeZones.hkt) return texts.hongKongTime
      const format = new Intl.DateTimeFormat('en-HK', { timeZone, timeZoneName: 'short' })
      const parts = format.formatToParts(Date.parse(instant))
      return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
    },
    /** The texts of a code; those of an unknown one show it as sent. */
    code(table: Readonly<Record<string, CodeText>>, code: string | null): CodeText {
      if (!code) return texts.missingCode
      return findEntry(table, code) ?? { label: code, meaning: texts.unknownCode }
    },
    /** The label of a code; an unknown one as sent. */
    label(labels: Readonly<Record<string, string>>, code: string | null): string {
      if (!code) return texts.missingCode.label
      return findEntry(labels, code) ?? code
    },
  }
}
