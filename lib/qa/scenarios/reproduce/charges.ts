import { isCountryCode } from '#lib/contract/countries.ts'
import { declineReasons } from '#lib/contract/sandbox.ts'
import { cardAccountCurrencies } from '#lib/contract/terms.ts'
import { amount, type Amount, roundToMinorUnit, toWire } from '#lib/shared/money.ts'
import { accountVariable, amountIn, type Entry, type EntrySetting, isReferredTo, toCardField } from './entry.ts'
import { merchantText } from './personal.ts'
import type { FileStep } from './timeline.ts'

/** The steps that make a charge: made, declined, or reversed. */
export function chargeSteps(entry: Entry, value: Amount, setting: EntrySetting): FileStep[] {
  const { notes, currency } = setting
  const { authorization, status } = entry
  const gross = entry.grossAmount === null ? value : roundToMinorUnit(amount(entry.grossAmount), currency)
  const abroad = authorizedAbroad(entry, setting)
  const hasGross = gross.gt(0) && !gross.eq(value)
  if (abroad && hasGross) notes.add('The whole amount of a purchase in another currency is that of the charge here.')
  const type = authorization?.type === 'ATM' ? 'ATM' : 'PURCHASE'
  const body = {
    cardAccountId: accountVariable,
    ...toCardField(entry, setting),
    ...(abroad ? { ...abroad, accountAmount: toWire(value) } : { amount: toWire(value), currency }),
    ...(hasGross && !abroad ? { opts: { purchaseAmount: toWire(gross) } } : {}),
    type,
    ...(authorization?.cardPresent === null || authorization === null
      ? {}
      : { cardPresent: authorization.cardPresent }),
    ...toMerchant(entry, setting),
    ...(status === 'declined' ? { declineReason: chooseDecline(entry, setting) } : { forced: true }),
  }
  const charge = { name: statusNames[status ?? ''] ?? 'Charge', control: 'POST /charges', body }
  const variable = setting.entries.get(entry.id) ?? ''
  const isNamed = status === 'void' || isReferredTo(entry, setting)
  const reversal = {
    call: 'POST /cards/simulate-full-reversal',
    body: { cardAccountId: accountVariable, cardTransactionId: `\${${variable}}` },
  }
  return [
    { ...charge, ...(isNamed ? { save: { [variable]: 'body.id' } } : {}) },
    ...(status === 'void' ? [reversal] : []),
  ]
}

/** Amount and currency of a charge that was authorized in another currency than the account's; null for any other. */
function authorizedAbroad(
  { authorization }: Entry,
  { currency, notes }: EntrySetting,
): { amount: number; currency: string } | null {
  if (!authorization?.currency || authorization.currency === currency) return null
  const known = cardAccountCurrencies.find((one) => one === authorization.currency)
  const given = amountIn(authorization, known ?? currency)
  if (known && given) return { amount: toWire(given), currency: known }
  notes.add('A charge was authorized in a currency that the sandbox doesn’t have; here it is in that of the account.')
  return null
}

const statusNames: Record<string, string> = {
  declined: 'A declined charge',
  pending: 'A pending charge',
  posted: 'A charge',
  void: 'A reversed charge',
}

type Decline = string | { responseCode: string; responseMessage: string }

/** The response code of a declined charge; 05, do not honor, where it has none of two characters. */
export function codeOfDecline({ authorization }: Entry): string {
  const given = authorization?.responseCode ?? ''
  return /^[0-9A-Z]{2}$/.test(given) ? given : declineReasons['do-not-honor'].responseCode
}

function chooseDecline(entry: Entry, { notes }: EntrySetting): Decline {
  const responseCode = codeOfDecline(entry)
  if (responseCode !== entry.authorization?.responseCode)
    notes.add('A declined charge has no response code of two characters; here it has 05.')
  const known = Object.entries(declineReasons).find(([, reason]) => reason.responseCode === responseCode)
  return known ? known[0] : { responseCode, responseMessage: 'Declined' }
}

function toMerchant({ merchant }: Entry, { isPersonal, notes }: EntrySetting): { merchant?: object } {
  if (!merchant) {
    notes.add('A charge has no merchant; the sandbox gives it one.')
    return {}
  }
  const name = merchantText(merchant.name, isPersonal)
  if (name === null) notes.add('A merchant’s name may hold something personal; it is replaced.')
  const category = merchantText(merchant.category, isPersonal)
  const { mcc, country } = merchant
  return {
    merchant: {
      name: name ?? 'Merchant',
      mcc: mcc !== null && /^\d{4}$/.test(mcc) ? mcc : '5999',
      ...(category === null ? {} : { category }),
      ...(country !== null && isCountryCode(country) ? { country } : {}),
    },
  }
}
