import { afterEach, expect, test, vi } from 'vitest'
import { countAsEntered, formsWithEntries, typedWorkOfPage } from './typed-work.ts'

const form = { tagName: 'FORM' }

class TextArea extends EventTarget {
  type = 'textarea'
  value = ''
  isConnected = true
  form = form
  getAttribute = () => null
  closest = (selector: string) => (selector.startsWith('form') ? form : null)
}

afterEach(() => void vi.unstubAllGlobals())

test('the text of a dropped file is work like a typed one', () => {
  vi.stubGlobal('HTMLTextAreaElement', TextArea)
  for (const name of ['HTMLInputElement', 'HTMLSelectElement']) vi.stubGlobal(name, class extends EventTarget {})
  const area = new TextArea()
  countAsEntered(area as unknown as HTMLTextAreaElement)
  expect([formsWithEntries(), typedWorkOfPage(true)]).toEqual([[], null])
  area.value = 'cardAccountId,limit'
  expect([formsWithEntries(), typedWorkOfPage(true)]).toEqual([[form], { what: 'this page' }])
})
