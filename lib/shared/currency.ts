/**
 * The currencies whose minor unit is not two digits, as ISO 4217 lists them. The interface wants whole rupiah, to which ISO 4217 gives
 * two digits. CNH is no ISO code and has two like CNY.
 */
const wholeUnits = 'BIF CLP DJF GNF IDR ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ')
const thousandths = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')

export function minorUnitDigits(currency: string): number {
  if (wholeUnits.includes(currency)) return 0
  return thousandths.includes(currency) ? 3 : 2
}

const standard = new Set([...Intl.supportedValuesOf('currency'), 'CNH'])

/** The most decimals of an amount that is entered. In a code that is none of ISO 4217, such as USDT, the service judges. */
export function mostDecimals(currency: string): number {
  return standard.has(currency) ? minorUnitDigits(currency) : 8
}

/** Whether both are the same currency. False where one is not known: two amounts without a currency cannot be compared. */
export function isSameCurrency(one: string | null | undefined, other: string | null | undefined): boolean {
  return Boolean(one) && one === other
}

const formats = new Map<string, Intl.NumberFormat>()

function numberFormat(currency: string | null, signed: boolean, tag: string): Intl.NumberFormat {
  const key = `${tag}:${currency}:${signed}`
  const cached = formats.get(key)
  if (cached) return cached
  const digits = currency === null ? 0 : minorUnitDigits(currency)
  const format = new Intl.NumberFormat(tag, {
    minimumFractionDigits: digits,
    // The most that every browser takes.
    maximumFractionDigits: 20,
    signDisplay: signed ? 'exceptZero' : 'negative',
  })
  formats.set(key, format)
  return format
}

/**
 * The figure of an amount for people: grouped, at least the currency's minor unit, never rounded, with a true minus
 * sign. The number's shortest decimal text is formatted, not its binary value. Without a currency the minor unit is not
 * known, so no decimals are added. `tag` is the language tag whose format is used.
 */
export function formatAmount(
  amount: number | string,
  currency: string | null,
  options: { signed?: boolean; tag?: string } = {},
): string {
  const text = numberFormat(currency, options.signed ?? false, options.tag ?? 'en-HK').format(
    String(amount) as Intl.StringNumericLiteral,
  )
  return text.replace('-', '−')
}

/** The amount of a card account's entry with the sign of its direction: a CREDIT takes from the balance, whichever sign the service gives it. */
export function directedAmount(amount: number | string, entryType: string | null | undefined): string {
  const text = String(amount)
  return entryType === 'CREDIT' && !text.startsWith('-') && Number(text) !== 0 ? `-${text}` : text
}

/** An amount with its currency, as far as they are known: `1,234.50 HKD`, `1,234.5`, `HKD`, or an empty text. */
export function moneyText(amount: number | string | null | undefined, currency: string | null | undefined): string {
  return [amount?.toString() && formatAmount(amount, currency || null), currency].filter(Boolean).join(' ')
}
