import { expect, type Locator, type Page } from '@playwright/test'

/** The corner where results are reported. */
export function toasts(page: Page): Locator {
  return page.getByRole('region', { name: 'Notifications' })
}

/** The dialog has closed by itself, and a toast names the result. */
export async function expectDone(page: Page, title: string | RegExp, timeout = 10_000): Promise<void> {
  await expect(toasts(page).getByText(title).first()).toBeVisible({ timeout })
  await expect(page.getByRole('alertdialog')).toBeHidden()
}
