import { expect, onTestFinished, test } from 'vitest'
import { globalSingleton } from './global-singleton.ts'

test('two modules of one name share the value, which is made once and made again after it was forgotten', () => {
  onTestFinished(() => void Reflect.deleteProperty(globalThis, 'carddeskPlanted'))
  let made = 0
  const make = () => ({ number: (made += 1) })
  const [one, other] = [globalSingleton('carddeskPlanted', make), globalSingleton('carddeskPlanted', make)]
  expect(made).toBe(0)
  expect(one()).toBe(other())
  expect(one()).toEqual({ number: 1 })
  Reflect.deleteProperty(globalThis, 'carddeskPlanted')
  expect(other()).toEqual({ number: 2 })
})
