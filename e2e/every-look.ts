import { expect, test, type Page } from '@playwright/test'

type Look = { theme: 'light' | 'dark'; width: number; isContrastChecked: boolean }

/** Both themes at a telephone's, a laptop's and a wide screen's width. */
const everyLook: Look[] = (['light', 'dark'] as const).flatMap((theme) =>
  [360, 1024, 1600].map((width) => ({ theme, width, isContrastChecked: true })),
)
/**
 * Each theme and each width once: what `npm test` has time for. Contrast takes two thirds of the time, and colours change with
 * the theme and not with the width. `npm run e2e:full` takes all six, each with its contrast and a picture.
 */
const someLooks: Look[] = [
  { theme: 'light', width: 360, isContrastChecked: false },
  { theme: 'dark', width: 1024, isContrastChecked: true },
  { theme: 'light', width: 1600, isContrastChecked: true },
]
const isFull = process.env.E2E_LOOKS === 'full'
let pictures = 0

/** Checks the page in both themes and at three widths; in none of them does anything scroll sideways. */
export async function checkEveryLook(page: Page, check: (look: Look) => Promise<void>): Promise<void> {
  // A long list takes axe a while.
  test.setTimeout(180_000)
  for (const look of isFull ? everyLook : someLooks) {
    const { theme, width } = look
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width, height: 900 })
    await expectStill(page)
    await check(look)
    const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
    expect(content, `the page at ${width} px, ${theme}`).toBeLessThanOrEqual(window ?? 0)
    pictures += 1
    await takePicture(page, `look-${String(pictures).padStart(4, '0')}-${width}-${theme}`)
  }
}

/**
 * The whole page as `<name>.png` beside the test's results, for a person to look at: in the full form alone, since a
 * picture of a long page takes a second and no test reads it.
 */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (isFull) await page.screenshot({ path: test.info().outputPath(`${name}.png`), fullPage: true })
}

/** Pictures `<name>-<theme>-<width>` in both themes, of a telephone and of a laptop. */
export async function takePictures(page: Page, name: string): Promise<void> {
  if (!isFull) return
  for (const theme of ['light', 'dark'] as const) {
    for (const width of [360, 1440]) {
      await page.emulateMedia({ colorScheme: theme })
      await page.setViewportSize({ width, height: 900 })
      await takePicture(page, `${name}-${theme}-${width}`)
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
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
