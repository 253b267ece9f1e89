import { expect, test, type Page } from '@playwright/test'

type Look = { theme: 'light' | 'dark'; width: number }

/** Both themes at a telephone's, a laptop's and a wide screen's width. */
const everyLook: Look[] = (['light', 'dark'] as const).flatMap((theme) =>
  [360, 1024, 1600].map((width) => ({ theme, width })),
)
/** Each theme and each width once: what `npm test` has time for. `npm run e2e:full` takes all six. */
const someLooks: Look[] = [
  { theme: 'light', width: 360 },
  { theme: 'dark', width: 1024 },
  { theme: 'light', width: 1600 },
]
const looks = process.env.E2E_LOOKS === 'full' ? everyLook : someLooks

/** Checks what is shown in both themes and at three widths; in none of them does anything scroll sideways. */
export async function checkEveryLook(page: Page, check: () => Promise<void>): Promise<void> {
  // A long list takes axe a while.
  test.setTimeout(180_000)
  for (const { theme, width } of looks) {
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width, height: 900 })
    await expectStill(page)
    await check()
    const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
    expect(content, `the page at ${width} px, ${theme}`).toBeLessThanOrEqual(window ?? 0)
  }
}

/** The change of theme is drawn, and no colour is on its way to another. */
async function expectStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve))
    await drawn()
    await drawn()
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect !== null && effect.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
}
