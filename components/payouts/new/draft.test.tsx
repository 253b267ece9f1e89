import { describe, expect, test } from 'vitest'
import { choiceNotes } from './choice-notes.ts'
import { toChoices, type Choices, emptyDraft, fitDraft, isEmptyDraft } from './draft.ts'

const none = { method: null, country: null, currency: null, fix: null }

describe('the choices of an address', () => {
  test('begin with a bank transfer, of which country and currency are still to choose', () => {
    expect(toChoices(none)).toEqual({ method: 'BANK_TRANSFER', country: '', currency: '', side: 'source' })
  })

  test('where only one is possible, it is chosen', () => {
    expect(toChoices({ ...none, country: 'ID' })).toMatchObject({ country: 'ID', currency: 'IDR' })
    expect(toChoices({ ...none, method: 'NETWORK_CARD' })).toMatchObject({ country: 'CN', currency: 'CNY' })
    expect(toChoices({ ...none, country: 'HK' })).toMatchObject({ country: 'HK', currency: '' })
  })

  test('what does not go together, or exist, is left out', () => {
    expect(toChoices({ ...none, country: 'US', currency: 'USD' })).toMatchObject({ country: '', currency: '' })
    expect(toChoices({ ...none, method: 'NETWORK_CARD', country: 'HK', currency: 'HKD' })).toMatchObject({
      country: 'CN',
      currency: 'CNY',
    })
    expect(toChoices({ ...none, country: 'constructor', currency: '__proto__' })).toMatchObject({ country: '' })
  })
})

const korea: Choices & { sourceCurrency: string } = {
  method: 'BANK_TRANSFER',
  country: 'KR',
  currency: 'KRW',
  side: 'source',
  sourceCurrency: 'HKD',
}
const indonesia = { ...korea, country: 'ID', currency: 'IDR' }
const card = { ...korea, method: 'NETWORK_CARD' as const, country: 'CN', currency: 'CNY' }
const draft = {
  ...emptyDraft,
  'destination.bankCode': '088',
  'destination.accountNumber': '110-123-456789',
  'destination.firstName': 'Minji',
  'destination.mobileNumber': '+821012345678',
  amount: '500',
  remarks: 'rent',
}

describe('other choices', () => {
  test('take the bank and the fields of the former country away, and keep the rest', () => {
    const fitted = fitDraft(korea, indonesia, draft)
    expect(fitted.cleared.sort()).toEqual(['destination.bankCode', 'destination.mobileNumber'])
    expect(fitted.draft).toMatchObject({ 'destination.firstName': 'Minji', amount: '500', remarks: 'rent' })
    expect(fitted.draft['destination.bankCode']).toBe('')
  })

  test('of another method clear the account number: a card number never stays in another kind of field', () => {
    expect(fitDraft(korea, card, draft).draft['destination.accountNumber']).toBe('')
    const number = { ...emptyDraft, 'destination.accountNumber': '6222020200012345678', 'destination.surnameCN': '张' }
    expect(fitDraft(card, korea, number).cleared.sort()).toEqual(['destination.accountNumber', 'destination.surnameCN'])
  })

  test('take the amount away where it was of another currency or side, and only there', () => {
    const received = { ...korea, side: 'destination' as const }
    expect(fitDraft(received, { ...indonesia, side: 'destination' }, draft).draft.amount).toBe('')
    expect(fitDraft(korea, indonesia, draft).draft.amount).toBe('500')
    expect(fitDraft(korea, { ...korea, sourceCurrency: 'USD' }, draft).draft.amount).toBe('')
    const dollars = { ...korea, country: 'HK', currency: 'HKD' }
    expect(fitDraft(dollars, { ...dollars, side: 'destination' }, draft).draft.amount).toBe('')
  })

  test('that change nothing else show no note', () => {
    expect(fitDraft(korea, korea, draft)).toEqual({ draft, cleared: [] })
    expect(choiceNotes(korea, korea, { country: 'KR' }, [])).toEqual([])
  })

  test('name what changed and what was removed', () => {
    expect(choiceNotes(korea, card, { method: 'NETWORK_CARD' }, ['destination.bankCode', 'amount'])).toEqual([
      'The country is now Mainland China, the only one that card payouts reach.',
      'The currency is now CNY, the only one for Mainland China.',
      'Cleared, since they do not fit any more: the bank and the amount.',
    ])
    const nowhere: Choices = { ...korea, country: '', currency: '' }
    expect(choiceNotes(card, nowhere, { method: 'BANK_TRANSFER' }, ['destination.accountNumber'])).toEqual([
      'Choose a country again: bank transfers do not reach Mainland China.',
      'Choose a currency again: it was CNY.',
      'Cleared, since it does not fit any more: the card number.',
    ])
  })
})

test('a draft of blanks is empty', () => {
  expect(isEmptyDraft({ ...emptyDraft, remarks: '  ' })).toBe(true)
  expect(isEmptyDraft(draft)).toBe(false)
})
