import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnvironmentProvider } from '#components/environment/use-environment.ts'
import type { PayoutDetail } from '#lib/console/payouts/types.ts'
import { receiptTexts } from './receipt-texts.ts'
import { Receipt } from './receipt.tsx'

const detail = {
  payout: {
    id: '45',
    accountId: 'fa-1',
    xid: null,
    status: 'completed',
    subStatus: 'ORDER_COMPLETED',
    method: 'BANK_WIRE',
    sourceAmount: '12640.00',
    sourceCurrency: 'HKD',
    destinationAmount: '2252448',
    destinationCurrency: 'KRW',
    rate: '178.2',
    cancellationReason: null,
    created: '2026-11-22T03:14:00.000Z',
    updated: 'soon',
    destination: {
      type: 'BANK',
      accountHolderName: 'Park $& Co',
      accountNumber: '8901',
      country: 'KR',
      bankName: 'Woori',
    },
  },
  fundingAccountName: 'Operations',
  freshness: { asOf: '2026-11-24T03:14:58.000Z', source: 'service' },
} as unknown as PayoutDetail

function show(language: 'en' | 'zh-Hant', change: object = {}): { text: string; html: string } {
  const shown = { ...detail, payout: { ...detail.payout, ...change } }
  const html = renderToString(
    <EnvironmentProvider value="sandbox">
      <Receipt detail={shown} texts={receiptTexts(language)} />
    </EnvironmentProvider>,
  ).replaceAll('<!-- -->', '')
  return { html, text: html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ') }
}

test('a receipt is written in one language, for the cardholder’s own', () => {
  const english = show('en')
  expect(english.html).toMatch(/lang="en-HK" aria-label="Receipt of the payout to Park \$&amp; Co"/)
  expect(english.text).toContain('Completed. The beneficiary has been paid. This is final.')
  expect(english.text).toContain('Created 22 Nov 2026, 11:14:00 HKT')
  expect(english.text).toContain('As of 24 Nov 2026, 11:14:58 HKT .')
  expect(english.text).not.toMatch(/\p{Script=Han}/u)

  const chinese = show('zh-Hant')
  expect(chinese.html).toMatch(/lang="zh-Hant-HK" aria-label="付款收據：Park \$&amp; Co"/)
  expect(chinese.text).toContain('已完成。 收款人已收款，不能更改。')
  expect(chinese.text).toContain('國家或地區 南韓')
  expect(chinese.text).toContain('收款人收取 2,252,448 KRW')
  expect(chinese.text).toContain('建立時間 2026/11/22 11:14:00 香港時間')
  expect(chinese.text).toContain('資料時間： 2026/11/24 11:14:58 香港時間 。')
  expect(chinese.text).not.toContain('最後更新')
  const words = chinese.text.match(/[A-Za-z]{3,}/g) ?? []
  expect(
    words.filter((word) => !['Park', 'amp', 'Woori', 'Operations', 'HKD', 'KRW', 'Carddesk'].includes(word)),
  ).toEqual([])
})

test('a code that the catalogue does not know is shown as sent, and a cancellation says its reason', () => {
  expect(show('zh-Hant', { status: 'on-hold', method: 'constructor', subStatus: 'LOST' }).text).toMatch(
    /on-hold。 LOST。 按發卡服務所傳送的內容顯示。.*constructor.*LOST/,
  )
  expect(show('zh-Hant', { status: 'cancelled' }).text).toContain('原因 沒有提供原因。')
  expect(show('en', { status: 'cancelled', cancellationReason: 'Duplicate' }).text).toContain('Reason Duplicate')
})

test('beside a step that nobody knows no receipt says that the beneficiary was paid', () => {
  const { text, html } = show('en', { subStatus: 'RETURNED_BY_BANK' })
  expect(text).toContain('Completed. RETURNED_BY_BANK. Shown as the card service sent it.')
  expect(text).not.toContain('has been paid')
  expect(html).toContain('aria-label="Confirmation of')
})

test('the texts of a receipt can be sent to the browser', () => {
  for (const language of ['en', 'zh-Hant'] as const) {
    const texts = receiptTexts(language)
    expect(structuredClone(texts)).toEqual(texts)
  }
})
