import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = path.join(import.meta.dirname, '..', '..')

/** What the project's own linter settings report on these files: rule and file, in the order of the files. */
function lint(files: Record<string, string>): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-lint-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['oxlint.config.ts', 'oxlint.rules.ts', 'import-table.ts', 'package.json', 'tsconfig.json'])
    copyFileSync(path.join(root, name), path.join(folder, name))
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
  }
  const oxlint = path.join(root, 'node_modules', '.bin', 'oxlint')
  const { stdout, stderr } = spawnSync(oxlint, ['--format', 'json'], { cwd: folder, encoding: 'utf8' })
  if (!stdout.startsWith('{')) throw new Error(`${stdout}${stderr}`)
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] }
  return diagnostics.map(({ code, filename }) => `${code} ${filename}`).sort()
}

const importing = (specifier: string, kind = 'import') =>
  `${kind} { thing } from '${specifier}'\nexport const used = thing\n`

const planted: [string, string][] = [
  ['lib/shared', '#lib/contract/cards.ts'],
  ['lib/contract', '#lib/db/connection.ts'],
  ['lib/signing', '#lib/shared/time.ts'],
  ['lib/client', '#lib/service/handle.ts'],
  ['lib/db', '#lib/auth/staff.ts'],
  ['lib/tables', '#lib/auth/session.ts'],
  ['lib/audit', '#lib/auth/session.ts'],
  ['lib/auth', '#lib/operations/act.ts'],
  ['lib/environments', '#lib/index/index-accounts.ts'],
  ['lib/index', '#lib/console/cards/detail.ts'],
  ['lib/live', '#lib/operations/perform.ts'],
  ['lib/operations', '#lib/console/cards/operations.ts'],
  ['lib/operations/approvals', '#lib/launch/start.ts'],
  ['lib/gate', '#lib/console/cards/detail.ts'],
  ['lib/console/cards', '#lib/jobs/retention.ts'],
  ['lib/console', '#lib/service/ledger/ledger.ts'],
  ['lib/jobs', '#lib/actions/cards.ts'],
  ['lib/service', '#lib/auth/staff.ts'],
  ['lib/service/handlers', '#lib/client/client.ts'],
  ['lib/actions', '#lib/client/client.ts'],
  ['lib/queries', '#lib/console/cards/detail.ts'],
  ['components/ui', '#components/cards/card-face.tsx'],
  ['components/ui', '../cards/card-face.tsx'],
  ['components/layout', '#lib/queries/cards.ts'],
  ['components/cards', '#lib/console/cards/detail.ts'],
  ['app/[environment]', '#lib/db/connection.ts'],
  ['app/[environment]', '#lib/service/handle.ts'],
  ['lib/service', '../auth/staff.ts'],
  ['lib/console/cards', '../../auth/staff.ts'],
  ['lib/console/cards/types.ts', './detail.ts'],
  ['lib/operations/types.ts', '#lib/db/connection.ts'],
  ['lib/qa/lab', '#lib/service/handle.ts'],
  ['lib/qa/scenarios', '#lib/qa/lab/lab.ts'],
  ['lib/qa/commands', '#lib/console/cards/detail.ts'],
]

/** Imports of the QA tools by the console, past their doors. */
const plantedOfQa: [string, string][] = [
  ['lib/console/cards', '#lib/qa/lab/lab.ts'],
  ['lib/console/cards', '#lib/qa/lab/types.ts'],
  ['lib/console/reads.ts', '#lib/qa/lab/lab.ts'],
  ['lib/gate', '#lib/qa/lab/api.ts'],
  ['lib/api', '#lib/qa/lab/types.ts'],
  ['lib/tables', '#lib/qa/scenarios/report.ts'],
  ['lib/jobs', '#lib/qa/lab/scenario-runs.ts'],
  ['lib/launch', '#lib/qa/commands/listen.ts'],
  ['components/ui', '#components/qa/simulate-menu.tsx'],
  ['components/cards', '#components/qa/simulate-menu.tsx'],
  ['components/cards', '../qa/use-lab.tsx'],
  ['components/cards', '#lib/qa/lab/types.ts'],
  ['app/[environment]/cards', '#components/qa/lab-screen.tsx'],
]

/** The file of a row: of a folder a new one. */
const plantedFile = (where: string, at: number) => (where.endsWith('.ts') ? where : `${where}/planted-${at}.ts`)

/** A specifier in every way that a file can name it. */
const waysToImport = (specifier: string) =>
  [
    importing(specifier),
    `import type { Thing } from '${specifier}'\nexport type Used = Thing\n`,
    `export const late = () => import('${specifier}')\n`,
    `export type All = typeof import('${specifier}')\n`,
  ].join('')

test('the linter refuses every planted import that the table does not allow: of a value, of a type, a lazy one, one in a type', () => {
  const files = [...planted, ...plantedOfQa].map(
    ([where, specifier], at) => [plantedFile(where, at), waysToImport(specifier)] as const,
  )
  const reported = lint(Object.fromEntries(files)).filter((each) => each.startsWith('carddesk'))
  const each = files.map(([file]) => `carddesk(import-table) ${file}`)
  expect(reported).toEqual([...each, ...each, ...each, ...each].sort())
})

test('the linter lets a folder import what the table allows it', () => {
  const files = {
    'lib/service/a.ts': importing('#lib/signing/keys.ts'),
    'lib/service/b.ts': importing('./a.ts'),
    'lib/console/a.ts': importing('#lib/client/client.ts'),
    'lib/console/cards/b.ts': importing('../fees/index-fees.ts'),
    'lib/console/cards/c.ts': importing('#lib/gate/api.ts'),
    'lib/operations/a.ts': importing('#lib/auth/session.ts'),
    'lib/tables/a.ts': `import type { Thing } from '#lib/console/bulk/types.ts'\nexport type Used = Thing\n`,
    'components/layout/a.tsx': importing('#components/ui/button.tsx'),
    'components/cards/a.tsx': importing('#lib/actions/cards.ts'),
    'components/cards/b.tsx': `import type { Thing } from '#lib/console/cards/types.ts'\nexport type Used = Thing\n`,
    'lib/console/cards/types.ts': `import type { Thing } from '#lib/audit/types.ts'\nexport type Used = Thing\n`,
    'app/[environment]/page.tsx': importing('#lib/console/cards/detail.ts'),
    'lib/console/reads.ts': importing('#lib/qa/lab/api.ts'),
    'lib/qa/lab/a.ts': importing('#lib/console/cards/detail.ts'),
    'lib/qa/commands/a.ts': importing('../scenarios/run.ts'),
    'components/cards/card-screen.tsx': importing('#components/qa/simulate-menu.tsx'),
    'components/qa/a.tsx': importing('#components/cards/card-face.tsx'),
    'app/[environment]/lab/page.tsx': importing('#components/qa/lab-screen.tsx'),
    'lib/auth/a.test.ts': importing('#lib/console/cards/detail.ts'),
  }
  expect(lint(files)).toEqual([])
})

test('the linter reports an import cycle, also through a type', () => {
  const files = {
    'lib/shared/a.ts': importing('./b.ts') + 'export const thing = 1\n',
    'lib/shared/b.ts': importing('./c.ts') + 'export const thing = 1\n',
    'lib/shared/c.ts': `import type { Used } from './a.ts'\nexport const thing: Used | null = null\n`,
  }
  expect(lint(files)).toContain('import(no-cycle) lib/shared/a.ts')
})

test('the linter reports a transaction that drizzle begins, and no other call of that name', () => {
  const calling = (call: string) =>
    `export const planted = (database: any, db: any, shop: any, routes: any, tx: any, work: any) => ${call}\n`
  const reported = lint({
    'lib/console/a.ts': calling('db.transaction(work)'),
    'lib/console/b.ts': calling('database().transaction(work)'),
    'lib/console/c.ts': calling(`shop.db['transaction'](work)`),
    'lib/console/d.ts': calling('tx.transaction(work)'),
    'components/fees/e.ts': calling('routes.transaction(work)'),
  })
  expect(reported.filter((each) => each.startsWith('carddesk'))).toEqual(
    ['a', 'b', 'c'].map((name) => `carddesk(one-transaction-helper) lib/console/${name}.ts`),
  )
})

/** What a source imports as values: statically, again as an export, or at run time. */
function valueImports(source: string): string[] {
  const statements = source.matchAll(/^(?:import|export) (?!type )[^'"();]*['"]([^'"]+)['"]/gm)
  const calls = source.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)
  return [...statements, ...calls].map(([, from = '']) => from)
}

/** The shortest ways, file by file, from `entries` to the package. Server actions are stubs in the browser, and end a way. */
function waysTo(name: string, entries: string[], sourceOf: (file: string) => string | null): string[] {
  const ways = new Map(entries.map((file) => [file, file]))
  const found: string[] = []
  for (const [file, way] of ways) {
    const source = sourceOf(file)
    if (source === null || source.startsWith("'use server'")) continue
    for (const from of valueImports(source)) {
      if (from === name || from.startsWith(`${name}/`)) found.push(`${way} > ${from}`)
      const next = from.startsWith('#') ? from.slice(1) : path.join(path.dirname(file), from)
      if (/^[#.]/.test(from) && !ways.has(next)) ways.set(next, `${way} > ${next}`)
    }
  }
  return found
}

test('zod is in no script of a page: it makes code from text, which the content security policy refuses', () => {
  const sourceOf = (file: string) => {
    const found = path.join(root, file)
    return /\.tsx?$/.test(file) && existsSync(found) ? readFileSync(found, 'utf8') : null
  }
  const entries = globSync('{app,components}/**/*.{ts,tsx}', { cwd: root }).filter((file) =>
    sourceOf(file)?.startsWith("'use client'"),
  )
  expect(waysTo('react', entries, sourceOf).length).toBeGreaterThan(100)
  expect(waysTo('zod', entries, sourceOf)).toEqual([])
})

test('the ways to zod are found through other files, and not through types or server actions', () => {
  const files: Record<string, string> = {
    'components/a.tsx': `'use client'\nimport { b } from './b.ts'\nimport type { C } from '#lib/c.ts'\nimport { d } from '#lib/d.ts'\n`,
    'components/b.ts': `import {\n  one,\n  two,\n} from '#lib/b.ts'\nconst late = () => import('./late.ts')\n`,
    'components/late.ts': `export { z } from 'zod'\n`,
    'lib/b.ts': `import { z } from 'zod/mini'\n`,
    'lib/c.ts': `import { z } from 'zod'\n`,
    'lib/d.ts': `'use server'\nimport { z } from 'zod'\n`,
  }
  expect(waysTo('zod', ['components/a.tsx'], (file) => files[file] ?? null)).toEqual([
    'components/a.tsx > components/b.ts > lib/b.ts > zod/mini',
    'components/a.tsx > components/b.ts > components/late.ts > zod',
  ])
})

test('npm start loads nothing that exists in Next alone', () => {
  const launch = path.join(root, 'lib', 'launch', 'launch.ts')
  const { status, stderr } = spawnSync(process.execPath, ['-e', `import(${JSON.stringify(launch)})`], {
    cwd: root,
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
})
