import type { Page } from '@playwright/test'
import { dialog } from './card-screen.ts'
import { expect, test } from './fixtures.ts'
import { tabTo } from './keyboard.ts'
import { openPalette } from './palette.ts'
import {
  chinaCard,
  confirmPayout,
  expectRunning,
  field,
  fillForm,
  getQuote,
  hongKong,
  indonesia,
  korea,
  openForm,
  readPayouts,
  quotePanel,
} from './payout-form.ts'
import type { ServiceCaller } from './service-caller.ts'
import { expectDone } from './toast.ts'

test.beforeEach(async ({ service }) => {
  await service.control.reset()
})

test.afterEach(async ({ service }) => {
  await service.control.disarmFaults()
})

test('only valid combinations can be selected; entries that no longer fit are removed, with a note', async ({
  page,
  signIn,
}) => {
  await signIn('operations')
  const form = await openForm(page)
  const country = form.getByLabel('Country')
  const currency = form.getByLabel('Currency')
  await expect(country.getByRole('option')).toHaveText([
    'Choose a country',
    'Hong Kong',
    'Philippines',
    'India',
    'Indonesia',
    'South Korea',
  ])
  await country.selectOption({ label: 'Hong Kong' })
  await expect(currency.getByRole('option')).toHaveText(['Choose a currency', 'CNH', 'HKD'])
  await country.selectOption({ label: 'Indonesia' })
  await expect(currency.getByRole('option')).toHaveText(['IDR'])
  await expect(form.getByText('the only currency for Indonesia')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Rate of HKD in IDR' }).getByText(/live/)).toBeVisible()
  await field(page, 'Sender’s mobile number').fill('+85261234567')
  await field(page, 'Account number').fill('5270 1183 992')
  await form.getByLabel('Method').selectOption({ label: 'Card payout' })
  await expect(country.getByRole('option')).toHaveText(['Mainland China'])
  await expect(form.getByText(/The country is now Mainland China/)).toContainText(
    /Cleared, since they do not fit any more: the (sender’s mobile number and the account number|account number and the sender’s mobile number)\./,
  )
  await expect(field(page, 'Card number')).toHaveValue('')
  await expect(page).toHaveURL(/method=NETWORK_CARD&country=CN&.*currency=CNY/)
})

test('all issues are shown together, at their fields and in a list; the first field has the focus', async ({
  page,
  service,
  signIn,
}) => {
  const before = await readPayouts(service)
  await signIn('operations')
  const form = await openForm(page, '?country=KR&fix=destination')
  await field(page, 'First name').fill('Minji')
  await field(page, 'Address').fill('Seoul')
  await field(page, 'Beneficiary’s mobile number').fill('010-1234-5678')
  await field(page, 'They receive').fill('4')
  await form.getByRole('button', { name: 'Get quote' }).click()
  const wrong = {
    'Account number': 'The account number is required.',
    Surname: 'The surname is required.',
    Address: 'The address must be longer than 20 characters, and have at least one space, and have at least one digit.',
    'Beneficiary’s mobile number': 'The beneficiary’s mobile number must be in E.164 format, such as +821012345678.',
    'They receive': 'The amount that they receive must be at least 5 KRW.',
  }
  for (const [label, sentence] of Object.entries(wrong)) {
    await expect(field(page, label)).toHaveAccessibleDescription(new RegExp(sentence.replaceAll(/[.+()]/g, '\\$&')))
    await expect(field(page, label)).toHaveAttribute('aria-invalid', 'true')
  }
  await expect(page.getByText('Fix 7 fields to get a quote.')).toBeVisible()
  await expect(field(page, 'Account number')).toBeFocused()
  await page.getByRole('button', { name: wrong['They receive'] }).click()
  await expect(field(page, 'They receive')).toBeFocused()
  await field(page, 'They receive').fill('5')
  await expect(page.getByText('Fix 6 fields to get a quote.')).toBeVisible()
  expect(await readPayouts(service)).toEqual(before)
})

test('Hong Kong in HKD: quoted, submitted with the mouse, and the payout appears and progresses', async ({
  page,
  service,
  signIn,
}) => {
  await signIn('operations')
  await fillForm(page, hongKong)
  await field(page, 'External ID').fill('e2e-hk-1')
  await getQuote(page, 'You send', '1250.5')
  await expect(field(page, 'You send')).toHaveValue('1,250.50')
  await expect(quotePanel(page).getByText('Same currency: nothing is exchanged.')).toBeVisible()
  await page.getByRole('button', { name: 'Submit…' }).click()
  const window = dialog(page)
  await expect(window.getByRole('button', { name: 'Go back' })).toBeFocused()
  await expect(window.getByRole('button', { name: 'Submit payout' })).toBeDisabled()
  await expect(window).toContainText('Maria Santos')
  await expect(window).toContainText('004-123456-789')
  await expect(window).toContainText('88 Des Voeux Road Central, Hong Kong')
  await expect(window).toContainText('e2e-hk-1')
  await expect(window).toContainText(/1,204,880\.00.*1,203,629\.50/)
  await confirmPayout(page)
  await window.getByRole('button', { name: 'Submit payout' }).click()
  await expectDone(page, 'Payout submitted')
  const [made] = await readPayouts(service)
  expect(made).toMatchObject({ xid: 'e2e-hk-1', destinationAmount: 1250.5, status: 'requested' })
  await expect(page).toHaveURL(new RegExp(`/sandbox/payouts/${made?.id}$`))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await service.control.advanceClock('PT20M')
  await expect(page.getByText('Completed').first()).toBeVisible({ timeout: 20_000 })
})

test('Indonesia in IDR: the sender’s number, whole rupiah, at least 50,000, and the service’s error at its field', async ({
  page,
  signIn,
}) => {
  await signIn('operations')
  await fillForm(page, indonesia)
  await field(page, 'Sender’s mobile number').fill('0812 3456')
  await field(page, 'You send').fill('5')
  await page.getByRole('button', { name: 'Get quote' }).click()
  await expect(field(page, 'Sender’s mobile number')).toHaveAccessibleDescription(
    /must be in E\.164 format, such as \+85261234567/,
  )
  await field(page, 'Sender’s mobile number').fill('+852 6123 4567')
  await page.getByRole('button', { name: 'Get quote' }).click()
  await expect(field(page, 'You send')).toHaveAccessibleDescription(/must produce at least 50,000 IDR, and produces/)
  await expect(page.getByText('Couldn’t get a quote.')).toBeVisible()
  await getQuote(page, 'You send', '1000')
  await expect(field(page, 'They receive')).toHaveValue(/^[\d,]+$/)
  await expect(quotePanel(page)).toContainText(/the live rate \(\d+ s old\)/)
  await page.getByRole('button', { name: 'Give the amount that they receive instead' }).click()
  await expect(page.getByText('You changed the details. Get a new quote to continue.')).toBeVisible()
  await field(page, 'They receive').fill('49,999.5')
  await page.getByRole('button', { name: 'New quote' }).click()
  await expect(field(page, 'They receive')).toHaveAccessibleDescription(
    /must be a whole number of IDR, and must be at least 50,000 IDR/,
  )
  await getQuote(page, 'They receive', '50,000')
  await expect(field(page, 'They receive')).toHaveValue('50,000')
  await expect(field(page, 'You send')).toHaveValue(/^\d+\.\d\d$/)
})

test('Korea in KRW: mobile number and e-mail by their rule, whole won, at least 5', async ({ page, signIn }) => {
  await signIn('operations')
  await fillForm(page, korea)
  await field(page, 'Beneficiary’s mobile number').fill('+85261234567')
  await field(page, 'They receive').fill('4.5')
  await page.getByRole('button', { name: 'Get quote' }).click()
  await expect(field(page, 'Beneficiary’s e-mail')).toHaveAccessibleDescription(
    /is required when the beneficiary’s mobile number does not start with \+82/,
  )
  await expect(field(page, 'They receive')).toHaveAccessibleDescription(
    /must be a whole number of KRW, and must be at least 5 KRW/,
  )
  await field(page, 'Beneficiary’s e-mail').fill('minji@example.com')
  await getQuote(page, 'They receive', '5')
  await field(page, 'Beneficiary’s mobile number').fill('+82 10 1234 5678')
  await field(page, 'Beneficiary’s e-mail').fill('')
  await getQuote(page, 'They receive', '10000')
  await expect(quotePanel(page)).toContainText('10,000')
})

test('a card in mainland China: Chinese names, the pinyin shown and validated, and a number that is stored nowhere', async ({
  page,
  service,
  signIn,
}) => {
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await signIn('operations')
  await fillForm(page, chinaCard)
  await expect(field(page, 'Card number')).toHaveValue('6222 0202 0001 2345 678')
  await expect(page.getByText(/^Sent as Shang Hai Shi Pu Dong Xin Qu/)).toBeVisible()
  await field(page, 'Address').fill('北京市 8')
  await field(page, 'First name in Chinese').fill('San')
  await field(page, 'Card number').fill('6222 0202')
  await field(page, 'You send').fill('500')
  await page.getByRole('button', { name: 'Get quote' }).click()
  await expect(field(page, 'First name in Chinese')).toHaveAccessibleDescription(/must be Chinese characters only/)
  await expect(field(page, 'Card number')).toHaveAccessibleDescription(/must be 16 to 19 digits/)
  await expect(field(page, 'Address')).toHaveAccessibleDescription(
    /must be longer than 20 characters, as typed or in pinyin/,
  )
  await field(page, 'Address').fill('北京市朝阳区建国路88号')
  await expect(page.getByText(/^Sent as Bei Jing Shi Chao Yang Qu Jian Guo Lu 88 Hao/)).toBeVisible()
  await field(page, 'First name in Chinese').fill('三')
  await field(page, 'Card number').fill('6222-0202-0001-2345-678')
  await getQuote(page, 'You send', '500')
  await submitByKeyboard(page, '5678')
  const [made] = await readPayouts(service)
  await expect(page).toHaveURL(/\/payouts\/[^/]+$/)
  await expect(page.getByText(/6222/)).toHaveCount(0)
  expect(JSON.stringify(made)).not.toContain('6222')
  expect([page.url(), ...requested].filter((url) => /6222|12345678/.test(url))).toEqual([])
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain('6222')
})

test('a quote expires when the sandbox clock passes its end; the next one keeps the entries and shows the changes', async ({
  page,
  service,
  signIn,
}) => {
  await signIn('operations')
  await fillForm(page, indonesia)
  await getQuote(page, 'You send', '1000')
  await service.control.advanceClock('PT10M')
  await expect(page.getByText('This quote has expired.', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Submit…' })).toBeDisabled()
  await expect(field(page, 'Account number')).toHaveValue('5270 1183 992')
  await page.getByRole('button', { name: 'New quote' }).click()
  await expectRunning(page)
  const difference = page.getByRole('list', { name: 'What changed since the quote before' })
  await expect(difference).toContainText(
    /The rate went (up|down) by [\d.]+ \((less than )?\d+\.\d\d %\), from [\d,.]+ to [\d,.]+\./,
  )
  await expect(difference).toContainText(
    /They receive [\d,]+ IDR \((less than )?\d+\.\d\d %\) (more|less) than before \([\d,]+\)\./,
  )
})

test('in the last seconds nothing can be submitted; an open dialog says so, and asks again with a new quote', async ({
  page,
  service,
  signIn,
}) => {
  await signIn('operations')
  await fillForm(page, hongKong)
  await getQuote(page, 'You send', '100')
  await page.getByRole('button', { name: 'Submit…' }).click()
  await confirmPayout(page)
  await expect(dialog(page).getByRole('button', { name: 'Submit payout' })).toBeEnabled()
  await service.control.advanceClock('PT50S')
  await expect(
    dialog(page)
      .getByText(/Too late to submit|has expired/)
      .first(),
  ).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Submit payout' })).toBeDisabled()
  const late = await holdFirstPost(page)
  await dialog(page).getByRole('button', { name: 'New quote' }).click()
  // What is corrected while the quote is on its way is what the question is about.
  await field(page, 'Remarks').fill('Corrected')
  late.release()
  await expect(dialog(page).getByText(/^Expires in 0:/)).toBeVisible()
  await expect(dialog(page).getByText('Corrected')).toBeVisible()
  await expect(dialog(page).getByRole('list', { name: 'What changed since the quote before' })).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Submit payout' })).toBeDisabled()
  await confirmPayout(page)
  await expect(dialog(page).getByRole('button', { name: 'Submit payout' })).toBeEnabled()
  await service.control.advanceClock('PT10M')
  await expect(dialog(page).getByText('The quote has expired.').first()).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Go back' }).click()
  await expect(field(page, 'Remarks')).toBeFocused()
  await expect(page.getByRole('button', { name: 'Submit…' })).toBeDisabled()
})

test('a response for the previous entries is ignored', async ({ page, signIn }) => {
  await signIn('operations')
  await fillForm(page, hongKong)
  const late = await holdFirstPost(page)
  await field(page, 'You send').fill('100')
  await page.getByRole('button', { name: 'Get quote' }).click()
  await late.isHeld
  await field(page, 'You send').fill('200')
  const received = page.waitForResponse((response) => response.request().method() === 'POST')
  late.release()
  await received
  await expect(page.getByRole('button', { name: 'Get quote' })).toBeEnabled()
  await page.getByRole('button', { name: 'Get quote' }).click()
  await expectRunning(page)
  await expect(quotePanel(page)).toContainText('200.00')
  await expect(page.getByRole('list', { name: 'What changed since the quote before' })).toHaveCount(0)
})

test('an account without enough funds is warned about and gets no quote, and the form keeps its entries', async ({
  page,
  service,
  signIn,
}) => {
  const before = await readPayouts(service)
  await signIn('operations')
  await fillForm(page, hongKong)
  await field(page, 'You send').fill('2,000,000')
  await expect(field(page, 'You send')).toHaveAccessibleDescription(/More than the 1,204,880\.00 HKD available/)
  const quote = page.getByRole('button', { name: 'Get quote' })
  await expect(quote).toBeDisabled()
  await expect(quote).toHaveAccessibleDescription('More than the 1,204,880.00 HKD available.')
  await expect(field(page, 'Account number')).toHaveValue('004-123456-789')
  expect(await readPayouts(service)).toEqual(before)
})

test('a duplicate external ID is reported at its field; another one succeeds with the same quote', async ({
  page,
  service,
  signIn,
}) => {
  const taken = (await readPayouts(service)).find(({ xid }) => xid !== null)?.xid ?? ''
  await signIn('operations')
  await fillForm(page, hongKong)
  await field(page, 'External ID').fill(taken)
  await getQuote(page, 'You send', '100')
  await submitByKeyboard(page, '6789', 'Another resource has this external ID already.')
  await expect(field(page, 'External ID')).toHaveAccessibleDescription(/is in use already/)
  await field(page, 'External ID').fill('e2e-free-1')
  await submitByKeyboard(page, '6789')
  expect((await readPayouts(service))[0]).toMatchObject({ xid: 'e2e-free-1' })
})

test('a response that is lost after the effect: exactly one payout, and the screen ends with it', async ({
  page,
  service,
  signIn,
  expectProblem,
}) => {
  expectProblem(/50[0-9]/)
  const before = (await readPayouts(service)).length
  await signIn('operations')
  await fillForm(page, hongKong)
  await getQuote(page, 'You send', '100')
  await service.control.armFault({ path: '/payouts', status: 0, times: 6, after: true })
  await page.getByRole('button', { name: 'Submit…' }).click()
  await confirmPayout(page)
  await dialog(page).getByRole('button', { name: 'Submit payout' }).click()
  await expectDone(page, 'Payout submitted', 45_000)
  await expect(page).toHaveURL(/\/sandbox\/payouts\/[^/]+$/)
  await service.control.disarmFaults()
  expect(await readPayouts(service)).toHaveLength(before + 1)
})

test('a lost submission that turns out not to have begun opens the page again, for a quote that warns of what came meanwhile', async ({
  page,
  service,
  signIn,
  expectProblem,
}) => {
  expectProblem(/ERR_FAILED|404/)
  const before = (await readPayouts(service)).length
  await signIn('operations')
  await fillForm(page, hongKong)
  await getQuote(page, 'You send', '55')
  let isAway = true
  await page.route('**/payouts/new**', async (route) => {
    const isSubmission = route.request().postData()?.includes('payout.submit')
    return isAway && isSubmission ? route.abort() : route.fallback()
  })
  await page.getByRole('button', { name: 'Submit…' }).click()
  await confirmPayout(page)
  await dialog(page).getByRole('button', { name: 'Submit payout' }).click()
  await expect(dialog(page)).toContainText('we don’t know if this began')
  isAway = false

  const other = await page.context().newPage()
  await fillForm(other, hongKong)
  await getQuote(other, 'You send', '55')
  await other.getByRole('button', { name: 'Submit…' }).click()
  await confirmPayout(other)
  await dialog(other).getByRole('button', { name: 'Submit payout' }).click()
  await expectDone(other, 'Payout submitted')
  await other.close()

  await dialog(page).getByRole('button', { name: 'Try again' }).click()
  await expect(dialog(page)).toContainText('Get a new quote to see them')
  await dialog(page).getByRole('button', { name: 'Go back' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByText('The last submission isn’t confirmed yet.')).toHaveCount(0)
  await page.getByRole('button', { name: 'New quote' }).click()
  await expectRunning(page)
  await page.getByRole('button', { name: 'Submit…' }).click()
  await expect(dialog(page).getByLabel('I checked: this is another payment.')).toBeVisible()
  await confirmPayout(page)
  await dialog(page).getByRole('button', { name: 'Submit payout' }).click()
  await expectDone(page, 'Payout submitted')
  expect(await readPayouts(service)).toHaveLength(before + 2)
})

test('a quote that is not the one that was asked for can’t be submitted; the next one can', async ({
  page,
  service,
  signIn,
}) => {
  await signIn('operations')
  await fillForm(page, { ...hongKong, address: '?country=HK&currency=CNH' })
  const shape = { kind: 'value', at: 'destinationAmount', value: 14.67 }
  await service.control.armFault({ path: '/payouts/quote', times: 1, shape })
  await field(page, 'You send').fill('160')
  await page.getByRole('button', { name: 'Get quote' }).click()
  await expect(quotePanel(page).getByRole('alert')).toContainText(
    /Couldn’t get a quote\..*contradicts itself: 160\.00 HKD at its rate of [\d.]+ is 14\d\.\d\d CNH, and it quoted 14\.67 CNH\. Nothing was changed\. Get a new quote\./,
  )
  await expect(page.getByRole('button', { name: 'Submit…' })).toBeHidden()
  await page.getByRole('button', { name: 'Get quote' }).click()
  await expectRunning(page)
  await expect(page.getByRole('button', { name: 'Submit…' })).toBeVisible()
})

test('a payout whose record differs from what was confirmed says so, also on its page', async ({
  page,
  service,
  signIn,
}) => {
  await signIn('operations')
  await fillForm(page, hongKong)
  await getQuote(page, 'You send', '100')
  const shape = { kind: 'value', at: 'payouts[*].sourceAmount', value: 1000 }
  await service.control.armFault({ path: '/payouts', method: 'GET', times: 'always', shape })
  await page.getByRole('button', { name: 'Submit…' }).click()
  await confirmPayout(page)
  await dialog(page).getByRole('button', { name: 'Submit payout' }).click()
  await expect(page).toHaveURL(/\/sandbox\/payouts\/[^/]+$/)
  const difference = 'The card service’s record differs: it sends 1,000.00 HKD, and 100.00 HKD was confirmed.'
  await expect(page.getByRole('main').getByText(difference)).toBeVisible()
})

test('the whole way works by the keyboard alone', async ({ page, service, signIn }) => {
  await signIn('operations')
  await openForm(page)
  await field(page, 'Account number').waitFor()
  await page.getByLabel('Method').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.type('Hong')
  await page.keyboard.press('Tab')
  await page.keyboard.type('HKD')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: /^Bank/ })).toBeFocused()
  await page.keyboard.type('hang seng')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: /^Bank/ })).toHaveValue(/Hang Seng Bank · 024/)
  for (const text of ['004-123456-789', 'Maria', 'Santos', '88 Des Voeux Road Central, Hong Kong']) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(text)
  }
  await tabTo(page, page.getByRole('button', { name: 'Validate beneficiary' }))
  await tabTo(page, field(page, 'You send'))
  await page.keyboard.type('321.5')
  await page.getByLabel('Purpose').focus()
  await page.keyboard.type('Sal')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Bus')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expectRunning(page)
  await submitByKeyboard(page, '6789')
  expect((await readPayouts(service))[0]).toMatchObject({ destinationAmount: 321.5 })
})

test('leaving a filled form needs a confirmation; staying keeps the entries', async ({ page, signIn }) => {
  await signIn('operations')
  await openForm(page, '?country=HK&currency=HKD')
  await field(page, 'Surname').fill('Santos')
  await page.getByRole('link', { name: 'Payouts' }).first().click()
  await expect(dialog(page).getByRole('button', { name: 'Stay' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toBeHidden()
  await expect(field(page, 'Surname')).toHaveValue('Santos')
  await (await openPalette(page)).fill('Home')
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
})

test('a viewer sees why they send no payout, and no form', async ({ page, signIn }) => {
  await signIn('viewer')
  await page.goto('/sandbox/payouts/new?country=HK&currency=HKD')
  await expect(page.getByText('You can view payouts but not send them.')).toBeVisible()
  await expect(page.getByRole('form', { name: 'New payout' })).toHaveCount(0)
})

const states: { name: string; open: (page: Page, service: ServiceCaller) => Promise<void> }[] = [
  { name: 'begun', open: async (page) => void (await openForm(page)) },
  {
    name: 'with everything wrong',
    open: async (page) => {
      await openForm(page, '?country=KR')
      await page.getByRole('button', { name: 'Get quote' }).click()
      await expect(page.getByText(/Fix \d+ fields to get a quote/)).toBeVisible()
    },
  },
  {
    name: 'with a quote that replaces another, and a bank list open',
    open: async (page, service) => {
      await fillForm(page, indonesia)
      await getQuote(page, 'You send', '1000')
      await service.control.advanceClock('PT10M')
      await expect(page.getByText('This quote has expired.', { exact: true }).first()).toBeVisible()
      await page.getByRole('button', { name: 'New quote' }).click()
      await expectRunning(page)
      await page.getByRole('combobox', { name: /^Bank/ }).click()
      await expect(page.getByRole('option', { name: /Mandiri/ })).toBeVisible()
    },
  },
  {
    name: 'with the dialog of submitting',
    open: async (page) => {
      await fillForm(page, chinaCard)
      await getQuote(page, 'You send', '1000')
      await page.getByRole('button', { name: 'Submit…' }).click()
      await expect(dialog(page)).toBeVisible()
    },
  },
]

for (const { name, open } of states) {
  test(`a new payout, ${name}: axe finds nothing in any look, and nothing scrolls sideways`, async ({
    page,
    service,
    signIn,
    expectAccessibleInEveryLook,
  }) => {
    await signIn('operations')
    await open(page, service)
    await expectAccessibleInEveryLook()
  })
}

/** Opens the dialog, types the digits, confirms and reads how it ended, without the mouse. */
async function submitByKeyboard(page: Page, digits: string, ending = 'Payout submitted'): Promise<void> {
  const submit = page.getByRole('button', { name: 'Submit…' })
  await submit.focus()
  await page.keyboard.press('Enter')
  const window = dialog(page)
  await expect(window.getByRole('button', { name: 'Go back' })).toBeFocused()
  await window.getByLabel(/^Type the last/).focus()
  await page.keyboard.type(digits)
  const another = window.getByLabel('I checked: this is another payment.')
  if (await another.isVisible()) {
    await another.focus()
    await page.keyboard.press('Space')
    await window.getByLabel(/^Type the last/).focus()
  }
  await page.keyboard.press('Enter')
  await expect(window.getByLabel(/^Type the last/)).toBeVisible()
  await window.getByRole('button', { name: 'Submit payout' }).focus()
  await page.keyboard.press('Enter')
  await expect(window).toBeHidden()
  await expect(page.getByText(ending).first()).toBeVisible()
}

/** Lets the first response to a press reach the page only once it is released. */
async function holdFirstPost(page: Page): Promise<{ isHeld: Promise<void>; release: () => void }> {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let isFirst = true
  await page.route('**/payouts/new**', async (route) => {
    if (route.request().method() !== 'POST' || !isFirst) return route.fallback()
    isFirst = false
    const response = await route.fetch()
    held.resolve()
    await released.promise
    return route.fulfill({ response })
  })
  return { isHeld: held.promise, release: released.resolve }
}
