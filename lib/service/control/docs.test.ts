import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { mutationKindNames } from '../faults/response-mutations.ts'
import { usualModes } from '../modes.ts'
import { controlRoutes } from './handle.ts'

const docs = readFileSync(path.join(import.meta.dirname, '../../../docs/sandbox.md'), 'utf8')
const inFirstColumn = (text: string) => docs.split('\n').some((line) => line.startsWith(`| \`${text}\` `))

test('docs/sandbox.md has a row for every endpoint, kind of shape and mode', () => {
  const names = [
    ...controlRoutes.map((route) => `${route.method} ${route.path}`),
    ...mutationKindNames,
    ...Object.keys(usualModes),
  ]
  expect(names.filter((name) => !inFirstColumn(name))).toEqual([])
  expect(inFirstColumn('POST /nothing')).toBe(false)
})
