import { takePicture } from './every-look.ts'
import { readAccounts } from './fee-screen.ts'
import { expect, test } from './fixtures.ts'
import { tabTo } from './keyboard.ts'
import type { ServiceCaller } from './service-caller.ts'

type Charge = {
  cardId: string | null
  status: string
  createdAt: string
  merchant: { name: string | null } | null
}

test('from the declines at a merchant, the cards used there and not declined are found and chosen in three presses of a key, and locked', async ({
  page,
  service,
  signIn,
  expectAccessibleInEveryLook,
}) => {
  await service.control.reset()
  const { merchant, hit, used, from, to } = await compromised(service)
  await signIn('operations')
  const list = new URLSearchParams({ merchant, status: 'declined', dateRangeFrom: from, dateRangeTo: to })
  await page.goto(`/sandbox/transactions?${list}`)
  await tabTo(page, page.getByRole('link', { name: 'Cards used at this merchant' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Cards' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Not declined there' })).toHaveAttribute('aria-pressed', 'true')
  const rows = page.getByRole('table', { name: 'Cards' }).locator('tbody tr')
  await expect(async () => {
    await expect(rows).toHaveCount(used.length, { timeout: 1_000 })
  }, 'the index has read the transactions').toPass({ timeout: 60_000 })
  for (const id of hit) await expect(page.locator(`a[href$="/cards/${id}"]`)).toHaveCount(0)
  await expectAccessibleInEveryLook()
  await takePicture(page, 'cards-used-there')

  await tabTo(page, page.getByRole('button', { name: `Choose all ${used.length}` }))
  await page.keyboard.press('Enter')
  const bar = page.getByRole('region', { name: 'Selected cards' })
  await tabTo(page, bar.getByRole('button', { name: 'Lock…', exact: true }))
  await page.keyboard.press('Enter')

  const dialog = page.getByRole('alertdialog')
  const heading = dialog.getByRole('heading', { name: /^Lock \d+ cards?\?$/ })
  await expect(heading).toBeVisible()
  const count = /\d+/.exec((await heading.textContent()) ?? '')?.[0] ?? ''
  await dialog.getByLabel(/^Type the number of cards/).fill(count)
  await dialog.getByLabel('Reason').selectOption({ label: 'Suspected fraud' })
  await takePicture(page, 'lock-used-there')
  await dialog.getByRole('button', { name: /^Lock \d+ cards?$/ }).click()
  await expect(page.getByRole('heading', { name: /cards locked$/ })).toBeVisible({ timeout: 60_000 })
  const statuses = await statusesOf(service)
  expect(used.filter((id) => statuses.get(id) === 'active')).toEqual([])
})

/** A merchant of the seed with a declined charge and other cards, the days around its charges, and the cards. */
async function compromised(service: ServiceCaller) {
  const charges: (Charge & { cardId: string; name: string })[] = []
  for (const { id: cardAccountId } of await readAccounts(service)) {
    const query = { cardAccountId, intent: 'charge', pageSize: '100' }
    const { body } = await service.get('/cardaccounts/transactions', query)
    for (const one of (body as { transactions: Charge[] }).transactions) {
      const name = one.merchant?.name
      if (one.cardId !== null && name) charges.push({ ...one, cardId: one.cardId, name })
    }
  }
  const statuses = await statusesOf(service)
  const day = (atMs: number) => new Date(atMs).toISOString().slice(0, 10)
  for (const merchant of new Set(charges.map(({ name }) => name))) {
    const there = charges.filter(({ name }) => name.toLowerCase().includes(merchant.toLowerCase()))
    const hit = new Set(there.filter(({ status }) => status === 'declined').map(({ cardId }) => cardId))
    const used = [...new Set(there.map(({ cardId }) => cardId))].filter((id) => !hit.has(id))
    const times = there.map(({ createdAt }) => Date.parse(createdAt))
    const isLockable = used.some((id) => statuses.get(id) === 'active')
    if (hit.size === 0 || !isLockable || used.length > 50) continue
    const [from, to] = [day(Math.min(...times) - 86_400_000), day(Math.max(...times) + 86_400_000)]
    return { merchant, hit, used, from, to }
  }
  throw new Error('the seed has a merchant with a declined charge')
}

async function statusesOf(service: ServiceCaller): Promise<Map<string, string>> {
  const statuses = new Map<string, string>()
  for (const { id: cardAccountId } of await readAccounts(service)) {
    const { body } = await service.get('/cards', { cardAccountId, pageSize: '100' })
    for (const { id, status } of (body as { cards: { id: string; status: string }[] }).cards) statuses.set(id, status)
  }
  return statuses
}
