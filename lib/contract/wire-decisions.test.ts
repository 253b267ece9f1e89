import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { wireDecisions } from './wire-decisions.ts'

const root = path.join(import.meta.dirname, '../..')

function isThere({ where }: { where: string }): boolean {
  return existsSync(path.join(root, where))
}

test('every decision names a place that exists', () => {
  expect(wireDecisions.filter((decision) => !isThere(decision)).map(({ where }) => where)).toEqual([])
  expect(isThere({ where: 'lib/contract/nowhere.ts' })).toBe(false)
})

test('no decision is listed twice', () => {
  const ids = wireDecisions.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toContain('requests.rate-limit')
})
