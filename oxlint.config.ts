import { defineConfig, type DummyRuleMap } from 'oxlint'

/**
 * The import table of ARCHITECTURE.md: what each module may import as values (`import type` is free, but for components and
 * shapes). An import that no row allows is an error.
 */
const rooms = [
  'lib/shared',
  'lib/contract',
  'lib/signing',
  'lib/client',
  'lib/settings',
  'lib/db',
  'lib/scenarios',
  'lib/service',
  'lib/console',
  'lib/actions',
  'lib/queries',
  'lib/launch',
  'components',
  'app',
  'e2e',
]

const kit = ['components/ui', 'components/data-table', 'components/form', 'components/layout']

const imports: { files: string; mayImport: string[] }[] = [
  { files: 'lib/shared', mayImport: ['lib/shared'] },
  { files: 'lib/contract', mayImport: ['lib/contract', 'lib/shared'] },
  { files: 'lib/signing', mayImport: ['lib/signing'] },
  { files: 'lib/settings', mayImport: ['lib/settings', 'lib/signing', 'lib/shared'] },
  { files: 'lib/client', mayImport: ['lib/client', 'lib/contract', 'lib/signing', 'lib/shared'] },
  {
    files: 'lib/scenarios',
    mayImport: ['lib/scenarios', 'lib/client', 'lib/contract', 'lib/signing', 'lib/shared'],
  },
  { files: 'lib/db', mayImport: ['lib/db', 'lib/shared'] },
  {
    files: 'lib/service',
    mayImport: ['lib/service', 'lib/settings', 'lib/contract', 'lib/signing', 'lib/db', 'lib/shared'],
  },
  {
    files: 'lib/console',
    mayImport: [
      'lib/console',
      'lib/settings',
      'lib/client',
      'lib/contract',
      'lib/db',
      'lib/scenarios',
      'lib/shared',
      'lib/signing',
    ],
  },
  { files: 'lib/actions', mayImport: ['lib/actions', 'lib/console', 'lib/contract'] },
  { files: 'lib/queries', mayImport: ['lib/queries', 'lib/contract', 'lib/shared'] },
  {
    files: 'lib/launch',
    mayImport: [
      'lib/launch',
      'lib/settings',
      'lib/console',
      'lib/scenarios',
      'lib/service',
      'lib/signing',
      'lib/db',
      'lib/shared',
    ],
  },
  { files: 'components/ui', mayImport: ['components/ui', 'lib/shared'] },
  { files: 'components/data-table', mayImport: [...kit, 'lib/shared'] },
  { files: 'components/form', mayImport: [...kit, 'lib/shared'] },
  { files: 'components/layout', mayImport: [...kit, 'lib/shared'] },
  { files: 'app', mayImport: ['app', 'components', 'lib/console', 'lib/actions', 'lib/queries', 'lib/shared'] },
]

/** Safe for the browser: what screens draw, the permissions, and what the screen says of each kind of operation. */
const browserSafe = [
  'lib/console/*/shapes.ts',
  'lib/console/desk/permissions.ts',
  'lib/console/desk/operations/kinds.ts',
  'lib/console/desk/approvals/policy-rules.ts',
]

/** Folders of components that are not the kit know a resource: the kit, the actions, the queries, the contract. */
const resourceComponents = ['components', 'lib/actions', 'lib/queries', 'lib/contract', 'lib/shared', ...browserSafe]

const crossRoomByName = {
  regex:
    '^(\\.\\./)+(lib|components|app|e2e|shared|contract|signing|settings|client|scenarios|service|console|actions|queries|db|launch)/',
  allowTypeImports: true,
  message: 'Name another room by its address, such as #lib/shared/money.ts.',
}

/** `isForTypes`: the row holds for `import type`, too. */
function restrict(mayImport: readonly string[], isForTypes = false): Pick<DummyRuleMap, 'no-restricted-imports'> {
  const closed = rooms
    .filter((room) => !mayImport.includes(room))
    .map((room) => [
      `#${room}/**`,
      ...mayImport
        .filter((open) => open.startsWith(`${room}/`))
        .map((open) => (open.endsWith('.ts') ? `!#${open}` : `!#${open}/**`)),
    ])
  return {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          crossRoomByName,
          ...closed.map((group) => ({
            group,
            allowTypeImports: !isForTypes,
            message: 'The import table in oxlint.config.ts does not allow this room to import that one.',
          })),
        ],
      },
    ],
  }
}

/** Shapes know the contract and each other, so that no type leads the browser's modules to the server's. */
function restrictShapes(): Pick<DummyRuleMap, 'no-restricted-imports'> {
  return {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            group: [
              '*',
              '!#lib/contract/**',
              '!#lib/shared/**',
              '!#lib/client/**',
              '!#lib/scenarios/**',
              '!@simplewebauthn/browser',
              '!**/shapes.ts',
              '!**/permissions.ts',
              '!**/operations/kinds.ts',
              '!**/approvals/policy-rules.ts',
            ],
            message: 'Shapes import the contract and other shapes alone.',
          },
        ],
      },
    ],
  }
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'react', 'jsx-a11y', 'nextjs', 'promise'],
  categories: { correctness: 'error', suspicious: 'error' },
  jsPlugins: ['./oxlint.rules.ts'],
  ignorePatterns: ['.next*', '.data*', 'node_modules', 'next-env.d.ts'],
  rules: {
    'carddesk/one-transaction-helper': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-unassigned-import': 'off',
    'import/no-named-as-default-member': 'off',
    'react/react-in-jsx-scope': 'off',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-imports': 'error',
    'no-console': 'error',
    'no-await-in-loop': 'off',
    'no-underscore-dangle': 'off',
    'no-shadow': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/consistent-function-scoping': 'off',
    eqeqeq: 'error',
    'no-restricted-globals': 'off',
  },
  overrides: [
    { files: ['components/**'], rules: restrict(resourceComponents, true) },
    ...imports.map((row) => ({
      files: [`${row.files}/**`],
      rules: restrict(row.mayImport, row.files.startsWith('components/')),
    })),
    { files: ['lib/console/*/shapes.ts'], rules: restrictShapes() },
    { files: ['app/service/**'], rules: restrict(['app', 'lib/service', 'lib/shared']) },
    // Tests may import any module.
    {
      files: ['**/*.test.ts', '**/*.test.tsx', '**/testing*.ts', '**/testing/**', 'lib/db/testing*.ts'],
      rules: { 'no-restricted-imports': 'off' },
    },
    { files: ['lib/launch/**', 'e2e/**'], rules: { 'no-console': 'off' } },
    // Playwright reads the names of the fixtures that a fixture needs from its first parameter, where it needs none too.
    { files: ['e2e/**'], rules: { 'no-empty-pattern': 'off' } },
  ],
})
