import { expect, test } from 'vitest'
import { closestName } from './closest-name.ts'

test('the nearest of the known names is meant, and none that is far', () => {
  expect(closestName('boddy', ['key', 'body', 'buddy'])).toBe('body')
  expect(closestName('Body', ['key', 'body'])).toBe('body')
  expect(closestName('nothing', ['key', 'body'])).toBeNull()
  expect(closestName('card.updates', ['card.updated'], 0)).toBeNull()
  expect(closestName('crad.updated', ['card.updated'], 1)).toBe('card.updated')
  expect(closestName('card.created', ['card.updated'], 2)).toBeNull()
  expect(closestName('card.created', ['card.updated'], 3)).toBe('card.updated')
})
