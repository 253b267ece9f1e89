import { randomUUID } from 'node:crypto'

let last = 0

/**
 * The id of a new row of a list: a UUID that is greater than every one that this process made before it, so that the lists have rows of one instant in
 * the order of their making, also while the sandbox clock stands. 40 bits are real milliseconds, which come round in 2039, 8 bits
 * number the ids of one, 74 are random. The highest bits of the milliseconds are left out because they would be the same in every
 * id that a person compares. It calls itself version 4, which every caller's check of UUIDs knows.
 */
export function newRowId(): string {
  last = Math.max(last + 1, Date.now() * 2 ** 8)
  const growing = (last % 2 ** 48).toString(16).padStart(12, '0')
  return `${growing.slice(0, 8)}-${growing.slice(8)}-4${randomUUID().slice(15)}`
}
