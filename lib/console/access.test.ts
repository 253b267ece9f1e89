import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { ReadDefinition } from '#lib/api/read.ts'
import { readDefinitions } from '#lib/api/reads.ts'
import { type Permission, permissionsOf, roleNames, roles } from '#lib/auth/permissions.ts'
import { operationKinds } from '#lib/operations/kinds.ts'
import { environments } from '#lib/shared/routes.ts'

const file = path.join(import.meta.dirname, '..', '..', 'docs', 'access.md')

/** In which environments each role has a permission: `●` in both, `S` in the sandbox alone. */
function cellsOf(needs: Permission | 'session'): string[] {
  return roles.map((role) => {
    const [sandbox, production] = environments.map(
      (environment) => needs === 'session' || permissionsOf(role, environment).includes(needs),
    )
    return sandbox ? (production ? '●' : 'S') : production ? 'P' : ''
  })
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

function tableOf(first: string, rows: readonly (readonly string[])[]): string {
  const head = [first, 'needs', ...roles.map((role) => roleNames[role])]
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
}

function readRow([name, { path: at, needs }]: [string, ReadDefinition]): string[][] {
  const each = typeof needs === 'string' ? [['', needs] as const] : Object.entries(needs.byType)
  return each.map(([type, permission]) => [
    `\`${name}\` ${type === '' ? `/${at}` : `/${at.replace('[type]', type)}`}`,
    permission === 'session' ? 'a session' : `\`${permission}\``,
    ...cellsOf(permission),
  ])
}

function accessText(): string {
  const reads = Object.entries<ReadDefinition>(readDefinitions).flatMap(readRow)
  const operations = Object.entries(operationKinds).map(([kind, { permission, label }]) => [
    `\`${kind}\` ${label}`,
    `\`${permission}\``,
    ...cellsOf(permission),
  ])
  return `# Who may read and change what

Written by \`lib/console/access.test.ts\` from the definitions in \`lib/api\` and \`lib/operations/kinds.ts\`:
\`UPDATE_DOCS=1 npm run unit -- lib/console/access.test.ts\` writes it again. ● both environments, S the sandbox alone, P production alone.

## Reads

${tableOf('read', reads)}

## Operations

${tableOf('operation', operations)}
`
}

test('docs/access.md is what the definitions give', () => {
  if (process.env.UPDATE_DOCS) writeFileSync(file, accessText())
  const words = (text: string) => text.replaceAll(/[ -]+/g, ' ')
  expect(words(readFileSync(file, 'utf8'))).toBe(words(accessText()))
})
