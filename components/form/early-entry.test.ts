import { afterEach, expect, test, vi } from 'vitest'
import { findEarlyEntry } from './early-entry.ts'

class Select extends EventTarget {
  options = ['', 'topup', 'payout'].map((value) => ({ value, defaultSelected: value === '' }))
  value = 'topup'
  isConnected = true
}

afterEach(() => {
  vi.unstubAllGlobals()
})

/** What counts of a choice made before hydration, when the select shows `value` right after it. */
function enteredAfter(value: string, isFromServer = true): string[] {
  vi.stubGlobal('HTMLInputElement', class extends EventTarget {})
  vi.stubGlobal('HTMLSelectElement', Select)
  const select = new Select()
  if (!isFromServer) for (const option of select.options) option.defaultSelected = false
  const entered: string[] = []
  select.addEventListener('change', () => entered.push(select.value))
  const enter = findEarlyEntry(select as unknown as HTMLSelectElement)
  select.value = value
  enter?.()
  return entered
}

test('a choice made before hydration counts, also when an effect renders the select once more', () => {
  expect(enteredAfter('topup')).toEqual(['topup'])
  expect(enteredAfter('')).toEqual(['topup'])
})

test('a newer choice is left alone', () => {
  expect(enteredAfter('payout')).toEqual([])
})

test('a select that was not in the server’s HTML has no early entry: its first option can be chosen at once', () => {
  expect(enteredAfter('', false)).toEqual([])
})

test('a text of several lines that the server rendered is no entry', () => {
  vi.stubGlobal('HTMLInputElement', class extends EventTarget {})
  vi.stubGlobal('HTMLSelectElement', Select)
  const area = { defaultValue: 'cardAccountId,limit\r\na-1,5\r\n', value: 'cardAccountId,limit\na-1,5\n' }
  expect(findEarlyEntry(area as HTMLTextAreaElement)).toBeNull()
  expect(findEarlyEntry({ ...area, value: 'a-1,6' } as HTMLTextAreaElement)).not.toBeNull()
})
