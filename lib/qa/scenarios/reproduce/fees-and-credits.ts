import { creditIntents } from '#lib/contract/sandbox.ts'
import { type Amount, toWire } from '#lib/shared/money.ts'
import {
  accountVariable,
  type Entry,
  type EntrySetting,
  isCredit,
  isReferredTo,
  named,
  parseDirection,
  toCardField,
} from './entry.ts'
import { safeCode } from './personal.ts'
import type { FileStep } from './timeline.ts'

/** The steps that make a fee, the refund of a charge, or an entry that adds to the balance or subtracts from it. */
export function feeOrCreditSteps(entry: Entry, value: Amount, setting: EntrySetting): FileStep[] {
  const variable = setting.entries.get(entry.id) ?? ''
  const save = (source: string) => (isReferredTo(entry, setting) ? { save: { [variable]: source } } : {})
  if (entry.intent === 'fee') return feeSteps(entry, value, setting, save('body.transaction.id'))
  const charge = setting.refunded.get(entry.id)
  if (charge && entry.status === 'posted') {
    const body = { transactionId: `\${${setting.entries.get(charge.id) ?? ''}}`, amount: toWire(value) }
    return [{ control: 'POST /reversals', body, ...save('body.refund.id') }]
  }
  const intent = isCredit(entry.intent) ? entry.intent : 'other'
  if (!isCredit(entry.intent))
    setting.notes.add(
      `An intent that the sandbox doesn’t have, ${named(entry.intent, setting.isPersonal)}, is other here.`,
    )
  const body = {
    cardAccountId: accountVariable,
    ...toCardField(entry, setting),
    intent,
    amount: toWire(value),
    entryType: parseDirection(entry) ?? creditIntents[intent].entryType,
    ...(entry.status === 'pending' ? { status: 'pending' } : {}),
  }
  return [{ control: 'POST /credits', body, ...save('body.id') }]
}

function feeSteps(entry: Entry, value: Amount, setting: EntrySetting, saved: FileStep): FileStep[] {
  const { notes, isPersonal } = setting
  const fee = setting.fees.get(entry.id)
  if (!fee) notes.add('A transaction of the intent fee has no fee record; here it has one.')
  else if (fee.status !== entry.status) notes.add('A fee has another status than its transaction.')
  if (fee && safeCode(fee.intent, isPersonal) === null) notes.add('A fee’s intent is no code; it is replaced.')
  const isVoid = entry.status === 'void'
  const variable = `${setting.entries.get(entry.id) ?? ''}Fee`
  const save = { ...fieldsIn(saved), ...(isVoid ? { [variable]: 'body.id' } : {}) }
  const body = {
    cardAccountId: accountVariable,
    ...toCardField(entry, setting),
    intent: feeIntent(entry, setting),
    amount: toWire(value),
    ...(entry.status === 'pending' ? { status: 'pending' } : {}),
  }
  const charge = { control: 'POST /fees', body, ...(Object.keys(save).length > 0 ? { save } : {}) }
  return isVoid ? [charge, { call: 'POST /fees/waive', body: { id: `\${${variable}}` } }] : [charge]
}

/** The intent of the fee that an entry carries; `other-fee` where it has none that can be shown. */
export function feeIntent({ id }: Entry, { fees, isPersonal }: EntrySetting): string {
  return safeCode(fees.get(id)?.intent ?? null, isPersonal) ?? 'other-fee'
}

function fieldsIn({ save }: FileStep): object {
  return typeof save === 'object' && save !== null ? save : {}
}
