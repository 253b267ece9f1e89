import { defineConfig } from 'oxlint'

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'react', 'jsx-a11y', 'nextjs', 'promise'],
  categories: { correctness: 'error', suspicious: 'error' },
  jsPlugins: ['./oxlint.rules.ts'],
  ignorePatterns: ['.next*', '.data*', 'node_modules', 'next-env.d.ts'],
  rules: {
    'carddesk/one-transaction-helper': 'error',
    // The table of import-table.ts.
    'carddesk/import-table': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-unassigned-import': 'off',
    'import/no-named-as-default-member': 'off',
    'react/react-in-jsx-scope': 'off',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-imports': 'error',
    'no-restricted-imports': [
      'error',
      {
        paths: [
          { name: 'next/link', message: 'Use Link of #components/ui/link.tsx.' },
          {
            name: 'react',
            importNames: ['lazy'],
            message: 'Use lazyPart or lazyDialog: a chunk that cannot be fetched would take the page down.',
          },
        ],
      },
    ],
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
    { files: ['lib/launch/**', 'lib/qa/commands/**', 'e2e/**'], rules: { 'no-console': 'off' } },
    { files: ['components/ui/link.tsx', 'components/ui/lazy-part.ts'], rules: { 'no-restricted-imports': 'off' } },
    // Playwright reads the names of the fixtures that a fixture needs from its first parameter, where it needs none too.
    { files: ['e2e/**'], rules: { 'no-empty-pattern': 'off' } },
  ],
})
