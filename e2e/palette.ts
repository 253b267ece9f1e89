import { expect, type Locator, type Page } from '@playwright/test'

/** Opens the command palette by its shortcut. A page that was just served is there before it listens: the key is pressed again. */
export async function openPalette(page: Page): Promise<Locator> {
  const field = page.getByRole('combobox', { name: 'Search or jump to' })
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(field).toBeFocused({ timeout: 2_000 })
  }).toPass()
  return field
}
