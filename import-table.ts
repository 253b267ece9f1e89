import path from 'node:path'

/**
 * The import table of ARCHITECTURE.md: what each folder may import, as a value, as a type and lazily. A row is of a folder, or of
 * files (`*` is a part of a name); the last row that fits a file counts. `oxlint.rules.ts` reports an import that no row allows.
 */
const foundation = ['lib/shared', 'lib/contract', 'lib/signing', 'lib/settings', 'lib/client', 'lib/db', 'lib/tables']

/** The console from below: each may import the foundation and those before it, so none is above and below another one. */
const layers = [
  'lib/audit',
  'lib/auth',
  'lib/environments',
  'lib/index',
  'lib/live',
  'lib/gate',
  'lib/operations',
  'lib/console',
  'lib/jobs',
]

/** Types and data, safe for the browser: what screens draw, the permissions, the definitions of reads and actions. */
const types = ['lib/*/types.ts', 'lib/*/*/types.ts']
const data = [...types, 'lib/api', 'lib/auth/permissions.ts', 'lib/operations/approvals/policy-rules.ts']
/** Folders of components that are not the kit know a resource. */
const resourceComponents = ['components', 'lib/actions', 'lib/queries', 'lib/contract', 'lib/shared', ...data]
const kit = ['components/ui', 'components/data-table', 'components/form', 'components/layout']

const importTable: Readonly<Record<string, readonly string[]>> = {
  'lib/shared': [],
  'lib/contract': ['lib/shared'],
  'lib/signing': ['lib/shared/result.ts'],
  'lib/client': ['lib/contract', 'lib/signing', 'lib/shared'],
  'lib/settings': ['lib/client', 'lib/signing', 'lib/shared', 'lib/auth/permissions.ts'],
  'lib/db': ['lib/settings', 'lib/shared'],
  'lib/service': ['lib/settings', 'lib/contract', 'lib/signing', 'lib/db', 'lib/shared'],
  'lib/tables': ['lib/db', 'lib/contract', 'lib/shared', ...data],
  ...Object.fromEntries(layers.map((layer, at) => [layer, [...foundation, ...layers.slice(0, at), ...data]])),
  'lib/console': [...foundation, ...layers.slice(0, layers.indexOf('lib/console')), 'lib/api'],
  'lib/api': ['lib/contract', 'lib/shared', ...data],
  'lib/actions': ['lib/console', 'lib/operations', 'lib/auth', 'lib/contract', 'lib/shared', ...data],
  // The types of the reads and exports.
  'lib/queries': ['lib/contract', 'lib/shared', 'lib/console/reads.ts', 'lib/console/export/table.ts', ...data],
  'lib/launch': ['lib/service', 'lib/api', ...foundation, ...layers],
  'lib/qa': [...foundation, ...layers.slice(0, layers.indexOf('lib/jobs')), 'lib/api', ...data],
  // Packed for machines that have none of the console.
  'lib/qa/scenarios': ['lib/client', 'lib/contract', 'lib/signing', 'lib/shared'],
  'lib/qa/commands': ['lib/qa/scenarios', 'lib/launch', 'lib/settings', 'lib/client', 'lib/signing', 'lib/shared'],
  components: resourceComponents,
  ...Object.fromEntries(kit.map((folder) => [folder, [...kit, 'lib/shared']])),
  'components/ui': ['lib/shared'],
  app: ['components', 'lib/api', 'lib/actions', 'lib/queries', 'lib/contract', 'lib/shared', ...layers],
  ...Object.fromEntries(
    [...types, ...data]
      .filter((file) => file.endsWith('.ts'))
      .map((file) => [file, ['lib/contract', 'lib/shared', 'lib/client', ...data]]),
  ),
  'lib/qa/*/types.ts': ['lib/contract', 'lib/shared', 'lib/client', 'lib/qa/scenarios', ...data],
}

/**
 * The QA tools may import the console; the console imports of them what stands here, and nothing else: the console without these doors
 * is the console without QA tools.
 */
const qa = matcher(['lib/qa', 'components/qa'])
const qaDoors: readonly (readonly [from: RegExp, to: RegExp])[] = [
  // The browser tests and the bench.
  [/^e2e\//, /^/],
  // Their pages.
  [/^app\/\[environment\]\/lab\//, /^components\/qa\//],
  // Their reads and actions, in the tables of all.
  [/^lib\/console\/(reads|actions)\.ts$/, /^lib\/qa\/(lab|reproduce)\/api\.ts$/],
  // The frame's clock and strip of the sandbox, and the buttons on the pages of records.
  [/^components\/environment\/console-shell\.tsx$/, /^components\/qa\/sandbox-state\.tsx$/],
  [/^components\/[\w-]+\/([\w-]+\/)?\w+-screen\.tsx$/, /^components\/qa\/(simulate-menu|reproduce-button)\.tsx$/],
]

const matchers = Object.entries(importTable).map(([of, mayImport]) => {
  const own = of.endsWith('.ts') ? [] : [of]
  return { isOf: matcher([of]), isAllowed: matcher([...own, ...mayImport]) }
})

function matcher(patterns: readonly string[]): (file: string) => boolean {
  const sources = patterns.map((pattern) => pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]+'))
  const pattern = new RegExp(`^(?:${sources.join('|')})(?:/|$)`)
  return (file) => pattern.test(file)
}

/** The file of this project that an import in `file` names; null for a package. Paths are relative to the project. */
export function importedFile(file: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : null
}

/** Whether `file` may import `imported`. A file that no row is of, such as a test, may import any. */
export function mayImport(file: string, imported: string): boolean {
  if (/\.test\.tsx?$|\/testing/.test(file)) return true
  if (qa(imported) && !qa(file)) return qaDoors.some(([from, to]) => from.test(file) && to.test(imported))
  return matchers.findLast(({ isOf }) => isOf(file))?.isAllowed(imported) ?? true
}

/** The folder whose files import each other by relative paths: `lib/auth`, `lib/qa`, `components`, `app`. */
export function findRoom(file: string): string {
  const depth = file.startsWith('lib/') ? 2 : 1
  return file.split('/').slice(0, depth).join('/')
}
