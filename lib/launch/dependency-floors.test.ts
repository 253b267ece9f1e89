import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import floors from '../../docs/dependency-floors.json' with { type: 'json' }

type Locked = { packages: Record<string, { version?: string }> }

const root = path.join(import.meta.dirname, '..', '..')
const lockfile = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Locked

/** Every locked version of a package that is under its floor, nested copies included. */
function underFloor(locked: Locked, name: string, floor: string): string[] {
  return Object.entries(locked.packages)
    .filter(([place]) => place === `node_modules/${name}` || place.endsWith(`/node_modules/${name}`))
    .filter(([, { version = '0' }]) => version.localeCompare(floor, 'en', { numeric: true }) < 0)
    .map(([place, { version }]) => `${place} ${version}`)
}

test.each(floors)('$name is locked at $floor or newer: $why', ({ name, floor }) => {
  expect(lockfile.packages[`node_modules/${name}`]?.version).toBeTruthy()
  expect(underFloor(lockfile, name, floor)).toEqual([])
})

test('a version under its floor is found, also where it is nested', () => {
  const locked = {
    packages: {
      'node_modules/next': { version: '16.10.0' },
      'node_modules/a/node_modules/next': { version: '16.4.0' },
      'node_modules/not-next': { version: '1.0.0' },
    },
  }
  expect(underFloor(locked, 'next', '16.4.6')).toEqual(['node_modules/a/node_modules/next 16.4.0'])
})

test('every direct dependency is pinned to one version', () => {
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Record<string, object>
  const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)))).toEqual([])
})
