import { expect, test } from 'vitest'
import { holdsDigits, weakPinReason } from './pins.ts'

test.each(['000000', '111111', '123456', '654321', '890123', '210987', '121212', '123123', '112233'])(
  '%s is a weak PIN',
  (pin) => expect(weakPinReason(pin)).not.toBeNull(),
)

test.each(['739154', '135790', '112234', '100001', '246802', ''])('%s is not called weak', (pin) =>
  expect(weakPinReason(pin)).toBeNull(),
)

test.each(['739154', 'her PIN is 739154.', '7391 54', '7-3-9-1-5-4', '７３９１５４', 'x0739154y'])(
  'a PIN is found in “%s”',
  (text) => expect(holdsDigits(text, '739154')).toBe(true),
)

test.each(['', '73915', '739155', 'no digits'])('a PIN is not found in “%s”', (text) =>
  expect(holdsDigits(text, '739154')).toBe(false),
)
