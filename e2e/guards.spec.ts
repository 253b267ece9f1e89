import { expect, test } from './fixtures.ts'
import { openPalette } from './palette.ts'

/* What the fixtures watch for, planted: each guard fires. */

test.beforeEach(async ({ page }) => {
  await page.goto('/sign-in')
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
})

test('axe reports a button without a name', async ({ page, expectAccessible }) => {
  await page.evaluate(() => document.body.append(document.createElement('button')))
  await expect(expectAccessible()).rejects.toThrow('button-name')
})

test('axe looks at the rows of a table', async ({ page, expectAccessible }) => {
  await page.evaluate(() => {
    const table = document.createElement('table')
    for (let row = 0; row < 12; row += 1) table.insertRow().insertCell().append(document.createElement('button'))
    document.body.append(table)
  })
  await expect(expectAccessible()).rejects.toThrow('button-name')
})

test('axe checks an open dialog, and nothing behind it', async ({ page, signIn, expectAccessible }) => {
  await signIn('viewer')
  await page.goto('/sandbox')
  await openPalette(page)
  const palette = page.getByRole('dialog')
  await page.evaluate(() => document.body.append(document.createElement('button')))
  await expectAccessible()
  await palette.evaluate((element) => element.append(document.createElement('button')))
  await expect(expectAccessible()).rejects.toThrow('button-name')
})

test('a page that scrolls sideways is reported, with its width', async ({ page, expectAccessibleInEveryLook }) => {
  await page.evaluate(() => {
    const wide = document.createElement('div')
    wide.style.cssText = 'width: 1100px; height: 10px'
    document.body.append(wide)
  })
  await expect(expectAccessibleInEveryLook()).rejects.toThrow('the page at 360 px')
})

test.fail('a test fails whose page reports an error', async ({ page }) => {
  await page.evaluate(() => console.error('planted'))
})

test.fail('a test fails whose page throws', async ({ page }) => {
  await page.evaluate(() => void setTimeout(() => Reflect.get(window, 'nothing').planted))
  await page.waitForEvent('pageerror')
})

test.fail('a test fails whose page returns a failure', async ({ page }) => {
  await page.route('**/planted', (route) => route.fulfill({ status: 500 }))
  await page.evaluate(() => fetch('/planted'))
})

test.fail('a test fails whose page breaks its policy', async ({ page }) => {
  const reported = page.waitForEvent('console')
  await page.evaluate(() => {
    const image = document.createElement('img')
    image.setAttribute('onerror', '0')
    image.src = 'data:,'
    document.body.append(image)
  })
  await reported
})
