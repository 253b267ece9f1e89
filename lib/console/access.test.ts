import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { actionDefinition, actionNames } from '#lib/api/actions.ts'
import type { ReadDefinition } from '#lib/api/read.ts'
import { readDefinitions } from '#lib/api/reads.ts'
import { type Permission, listPermissions, roleNames, roles } from '#lib/auth/permissions.ts'
import { environments } from '#lib/shared/routes.ts'
import { type Needs, readPageNeeds } from './testing/page-needs.ts'

const file = path.join(import.meta.dirname, '..', '..', 'docs', 'access.md')

/** In which environments each role has a permission: `●` in both, `S` in the sandbox alone. */
function cellsOf(needs: Needs): string[] {
  return roles.map((role) => {
    const [sandbox, production] = environments.map(
      (environment) => needs === 'session' || needs === 'nothing' || listPermissions(role, environment).includes(needs),
    )
    return sandbox ? (production ? '●' : 'S') : production ? 'P' : ''
  })
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

function tableOf(first: string, rows: readonly (readonly string[])[]): string {
  const head = [first, 'needs', ...roles.map((role) => roleNames[role])]
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
}

/** What each needs; where that depends on a type or a field, one row for each. */
function needsOf(needs: ReadDefinition['needs']): [type: string, needs: Permission | 'session'][] {
  if (typeof needs === 'string') return [['', needs]]
  return Object.entries(needs.of)
}

function needsText(needs: Needs): string {
  if (needs === 'nothing') return needs
  return needs === 'session' ? 'a session' : `\`${needs}\``
}

function rowsOf(needs: Parameters<typeof needsOf>[0], nameOf: (type: string) => string): string[][] {
  return needsOf(needs).map(([type, permission]) => [nameOf(type), needsText(permission), ...cellsOf(permission)])
}

function accessText(): string {
  const pages = Object.entries(readPageNeeds()).map(([folder, needs]) => [
    `/${folder}`,
    needsText(needs),
    ...cellsOf(needs),
  ])
  const reads = Object.entries<ReadDefinition>(readDefinitions).flatMap(([name, { path: at, needs }]) =>
    rowsOf(needs, (type) => `\`${name}\` /${type === '' ? at : at.replace('[type]', type)}`),
  )
  const actions = actionNames.flatMap((name) => {
    const { needs, label = '' } = actionDefinition(name)
    return rowsOf(needs, (type) => [`\`${name}\``, label, type].filter(Boolean).join(' '))
  })
  return `# Who may read and change what

Written by \`lib/console/access.test.ts\` from the definitions in \`lib/api\`, and the first read of each page:
\`UPDATE_DOCS=1 npm run unit -- lib/console/access.test.ts\` writes it again. ● both environments, S the sandbox alone, P production alone.

## Pages

${tableOf('page', pages)}

## Reads

${tableOf('read', reads)}

## Actions

The name of an operation, which sends a request to the service, has a dot.

${tableOf('action', actions)}
`
}

test('docs/access.md is what the definitions give', () => {
  if (process.env.UPDATE_DOCS) writeFileSync(file, accessText())
  const words = (text: string) => text.replaceAll(/[ -]+/g, ' ')
  expect(words(readFileSync(file, 'utf8'))).toBe(words(accessText()))
})
