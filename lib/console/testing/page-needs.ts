import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { operationDefinition, type OperationKind } from '#lib/api/actions.ts'
import { findReadDefinition, type ReadName } from '#lib/api/reads.ts'
import type { Permission } from '#lib/auth/permissions.ts'

/** What it takes to be let in: a permission, any session, or nothing. */
export type Needs = Permission | 'session' | 'nothing'

const app = path.join(import.meta.dirname, '..', '..', '..', 'app')

/**
 * What each page needs, by its folder below `app`: what the first read of its source needs, or the operation that it requires. A page
 * with neither is open to everybody.
 */
export function readPageNeeds(): Record<string, Needs> {
  const pages = globSync('**/page.tsx', { cwd: app }).filter((file) => !file.includes('[...missing]'))
  return Object.fromEntries(
    pages.toSorted().map((file) => {
      const source = readFileSync(path.join(app, file), 'utf8')
      return [path.dirname(file).replace(/^\.$/, ''), findNeeds(source)]
    }),
  )
}

function findNeeds(source: string): Needs {
  const [, kind, name] =
    /\b(read|readPart|readQuery|requireOperation)\('([\w.-]+)', environment/.exec(source.replaceAll(/\s+/g, ' ')) ?? []
  if (name === undefined) return 'nothing'
  if (kind === 'requireOperation') return operationDefinition(name as OperationKind).needs
  return leastNeeds(name as ReadName)
}

/** What a read needs; where that depends on a type, the least of its permissions. */
export function leastNeeds(name: ReadName): Permission | 'session' {
  const { needs } = findReadDefinition(name)
  return typeof needs === 'string' ? needs : 'accounts.read'
}
