import type { Page } from '@playwright/test'
import { type CardIds, cardPath, dialog, openAction, openCard } from './card-screen.ts'
import { expect, test } from './fixtures.ts'
import { openPalette } from './palette.ts'
import { findCard, type ServiceCaller } from './service-caller.ts'

/* Pages that look otherwise than when they open, with their dialogs; `looks.spec.ts` has each page as it opens. */

type Place = { name: string; isSignedOut?: true; open: (page: Page, service: ServiceCaller) => Promise<void> }

async function openHeading(page: Page, address: string, name: string | RegExp): Promise<void> {
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

async function openActionOf(page: Page, ids: CardIds, label: string): Promise<void> {
  await openCard(page, ids)
  await openAction(page, label)
  await expect(dialog(page)).toBeVisible()
}

const places: Place[] = [
  { name: 'the sign-in page', isSignedOut: true, open: (page) => openHeading(page, '/sign-in', 'Sign in') },
  {
    name: 'the card accounts, none matching',
    open: (page) => openHeading(page, '/sandbox/card-accounts?q=nobody-is-called-this', 'Card accounts'),
  },
  {
    name: 'a card with every status explained',
    open: async (page, service) => {
      await openCard(page, await findCard(service, 'locked'))
      await page.getByText('What each status means').click()
    },
  },
  {
    name: 'an event with its payload',
    open: async (page) => {
      await openHeading(page, '/sandbox/webhooks/inbox', 'Event inbox')
      await page.getByRole('table', { name: 'Events' }).getByRole('link').first().click()
      await expect(page.getByRole('heading', { name: 'Payload' })).toBeVisible()
    },
  },
  {
    name: 'the dialog of adding a webhook',
    open: async (page) => {
      await openHeading(page, '/sandbox/webhooks', 'Webhook health')
      await page.getByRole('button', { name: 'Add webhook' }).click()
      await dialog(page).getByText('All events, including future ones').click()
      await expect(dialog(page).getByText('card.updated')).toBeVisible()
    },
  },
  { name: 'production, not connected', open: (page) => openHeading(page, '/production', /not connected/) },
  {
    name: 'the dialog of cancelling',
    open: async (page, service) => openActionOf(page, await findCard(service, 'active'), 'Cancel card'),
  },
  {
    name: 'the dialog of activating, with what is missing',
    open: async (page, service) => {
      await openActionOf(page, await findCard(service, 'pending-activation'), 'Activate')
      await dialog(page).getByRole('button', { name: 'Activate card' }).click()
      await expect(dialog(page).getByText('The last six digits of the card number must be 6 digits.')).toBeVisible()
    },
  },
  {
    name: 'the dialog of changing the PIN',
    open: async (page, service) => openActionOf(page, await findCard(service, 'active'), 'Change PIN'),
  },
  {
    name: 'the command palette',
    open: async (page) => {
      await openHeading(page, '/sandbox', 'Home')
      await openPalette(page)
    },
  },
]

for (const { name, open, isSignedOut } of places) {
  test(`${name}: axe finds nothing in any look, and nothing scrolls sideways`, async ({
    page,
    service,
    signIn,
    expectAccessibleInEveryLook,
  }) => {
    if (!isSignedOut) await signIn('operations')
    await open(page, service)
    await expectAccessibleInEveryLook()
  })
}

test('a card with a row menu open', async ({ page, service, signIn, expectAccessible }) => {
  await signIn('operations')
  await page.goto(cardPath(await findCard(service, 'suspended')).replace(/\/cards\/.*/, ''))
  await page
    .getByRole('button', { name: /^Actions on card ending/ })
    .first()
    .click()
  await expect(page.getByRole('menu')).toBeVisible()
  await expectAccessible()
})
