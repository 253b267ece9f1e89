import { expect, test, type Page } from '@playwright/test'
import { isFull } from './full-run.ts'

/** axe takes seconds: it reads the page where the look `isExamined`. */
type Look = { theme: 'light' | 'dark'; width: number; isExamined: boolean }

/** Both themes at a telephone's, a laptop's and a wide screen's width. */
const everyLook = (['light', 'dark'] as const).flatMap((theme) => [360, 1024, 1600].map((width) => ({ theme, width })))

/**
 * What `npm test` has time for: every width, and of the six looks one that axe examines, which follows from the test's title;
 * all pages together are so examined in each. `npm run e2e:full` examines each page in all six, with a picture.
 */
function someLooks(title: string): Look[] {
  const chosen = everyLook[[...title].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % everyLook.length]
  return [360, 1024, 1600].map((width) => {
    const isExamined = width === chosen?.width
    return { theme: isExamined === (chosen?.theme === 'dark') ? 'dark' : 'light', width, isExamined }
  })
}

let pictures = 0

/** Checks the page in both themes and at three widths; in none of them does anything scroll sideways or is a text cut off. */
export async function checkEveryLook(page: Page, check: (look: Look) => Promise<void>): Promise<void> {
  // A long list takes axe a while.
  test.setTimeout(180_000)
  const looks = isFull ? everyLook.map((look) => ({ ...look, isExamined: true })) : someLooks(test.info().title)
  for (const look of looks) {
    const { theme, width } = look
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width, height: 900 })
    await expectStill(page)
    await check(look)
    const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
    expect(content, `the page at ${width} px, ${theme}`).toBeLessThanOrEqual(window ?? 0)
    expect(await cutOff(page), `texts that are cut off at ${width} px, ${theme}`).toEqual([])
    pictures += 1
    await takePicture(page, `look-${String(pictures).padStart(4, '0')}-${width}-${theme}`)
  }
}

/** Texts wider than their box without an ellipsis. The text of a field moves with its cursor. */
async function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    for (const element of document.querySelectorAll('main :not(input)')) {
      if (!(element instanceof HTMLElement) || element.scrollWidth <= element.clientWidth + 1) continue
      const { overflowX, textOverflow } = getComputedStyle(element)
      if (element.clientWidth <= 1 || textOverflow === 'ellipsis' || !/hidden|clip/.test(overflowX)) continue
      found.push(`${element.tagName} ${element.textContent.slice(0, 60)}`)
    }
    return found
  })
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
