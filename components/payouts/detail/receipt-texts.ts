import { messagesIn } from '#components/messages/catalogue.ts'
import { countryNames } from '#lib/contract/country-names.ts'
import { type Language, languageTags } from '#lib/shared/locale.ts'

export type ReceiptTexts = ReturnType<typeof receiptTexts>

/** The texts of a receipt in a language, as data for the browser: it gets no other language. */
export function receiptTexts(language: Language) {
  const messages = messagesIn(language)
  const { receipt, cardNumber, accountNumber, bank, rate, created, payoutId, externalId } = messages
  const { unnamedBeneficiary, currencyNotProvided, missingCode, unknownCode, hongKongTime } = messages
  return {
    ...receipt,
    cardNumber,
    accountNumber,
    bank,
    rate,
    created,
    payoutId,
    externalId,
    unnamedBeneficiary,
    currencyNotProvided,
    missingCode,
    unknownCode,
    hongKongTime,
    tag: languageTags[language],
    isEnglish: language === 'en',
    statuses: messages.payoutStatuses,
    steps: messages.payoutSteps,
    methods: messages.payoutMethods,
    countries: Object.fromEntries([...countryNames.keys()].map((code) => [code, messages.country(code)])),
  }
}
