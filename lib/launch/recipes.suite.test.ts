import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = path.join(import.meta.dirname, '..', '..')

/** What a recipe of CONTRIBUTING.md changes: new files with their text, and texts put before an anchor of a file that exists. */
type Recipe = { added?: Record<string, string>; changed: Record<string, [before: string, text: string][]> }

/** What the compiler and the linter report of a copy of the project in which the recipes were followed. */
function follow(recipes: readonly Recipe[]): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-recipe-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  for (const file of files) cpSync(path.join(root, file), path.join(folder, file), { recursive: true, force: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  for (const [file, text] of recipes.flatMap(({ added = {} }) => Object.entries(added))) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
  }
  for (const [file, insertions] of recipes.flatMap(({ changed }) => Object.entries(changed))) {
    let text = readFileSync(path.join(folder, file), 'utf8')
    for (const [before, inserted] of insertions) {
      const at = text.indexOf(before)
      if (at < 0) throw new Error(`${file} does not hold ${before}`)
      text = text.slice(0, at) + inserted + text.slice(at)
    }
    writeFileSync(path.join(folder, file), text)
  }
  const bin = (name: string, args: string[]) => {
    const { status, stdout, stderr } = spawnSync(path.join(root, 'node_modules', '.bin', name), args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
    })
    return status === 0 ? [] : `${stdout}${stderr}`.split('\n').filter(Boolean)
  }
  const routes = bin('next', ['typegen'])
  // Tests that want an example of each row say so themselves.
  const types = bin('tsc', ['--noEmit']).filter((line) => !/^\s|^e2e\/|\.test\.tsx?\(/.test(line))
  return [...routes, ...types, ...bin('oxlint', ['--quiet']).filter((line) => !line.startsWith('Found 0'))]
}

const countOf = ({ added = {}, changed }: Recipe) => Object.keys(added).length + Object.keys(changed).length

const endpoint: Recipe = {
  changed: {
    'lib/contract/banks.ts': [
      [
        '  listPayoutBanks: endpoint({',
        `  getPlanted: endpoint({
    method: 'GET',
    path: '/planted',
    summary: 'A planted endpoint.',
    query: z.object({ wireCode: text(35) }),
    response: BankInfo,
    errors: ['BANK_NOT_FOUND'],
  }),
`,
      ],
    ],
    'lib/service/handlers/payouts.ts': [
      [
        '  listPayoutBanks: async',
        `  getPlanted: async ({ query }) => {
    const bank = findBankInfo(query.wireCode)
    if (!bank) throw new ApiError('BANK_NOT_FOUND', 'there is no bank with this wire code')
    return bank
  },
`,
      ],
    ],
    'lib/contract/test-values.ts': [
      ['  getBank: () =>', "  getPlanted: () => ({ query: { wireCode: 'HSBCHKHH' } }),\n"],
    ],
    'lib/console/connection/read-calls.ts': [
      ['  getBank: ({ wireCode }) =>', "  getPlanted: () => ({ reason: 'it is planted' }),\n"],
    ],
  },
}

const cardAction: Recipe = {
  changed: {
    'lib/contract/cards.ts': [
      [
        '  cancelCard: endpoint({',
        `  freezeCard: endpoint({
    ...cardAction,
    path: '/cards/freeze',
    summary: 'A planted action.',
    errors: ['INACTIVE_CARD'],
  }),
`,
      ],
    ],
    'lib/service/handlers/cards.ts': [
      ["  cancelCard: transitionHandler('cancel'),", "  freezeCard: transitionHandler('freeze'),\n"],
    ],
    'lib/service/testing-examples.ts': [
      ['  cancelCard: async', '  freezeCard: async ({ service: { db } }) => ({ body: await addCard(db) }),\n'],
    ],
    'lib/qa/lab/examples.ts': [['  cancelCard: async', '  freezeCard: () => ({ body: {} }),\n']],
    'lib/contract/card-actions.ts': [
      [
        "  cancel: {\n    endpoint: 'cancelCard'",
        `  freeze: {
    endpoint: 'freezeCard',
    label: 'Freeze card',
    short: 'Freeze',
    done: 'Card frozen',
    transitions: elsewhere(refused('INACTIVE_CARD'), { active: to('locked') }),
    reasons: ['suspected-fraud', 'other'],
  },
`,
      ],
    ],
    'lib/auth/permissions.ts': [["  'cards.cancel',", "  'cards.freeze',\n"]],
    'components/cards/card-action-table.ts': [
      [
        '  cancel: {',
        `  freeze: {
    icon: Ban,
    tone: 'neutral',
    confirmationLevel: 'light',
    consequence: 'Charges are declined until it’s unlocked.',
    keepLabel: 'Keep card',
    refused: {},
  },
`,
      ],
    ],
  },
}

const read: Recipe = {
  changed: {
    'lib/api/fees.ts': [
      ['export const feeReads', 'export const plantedSearch = defineSearch({ q: text(200) })\n\n'],
      [
        '  readFee: {',
        "  listPlanted: { path: 'fees/planted', needs: 'accounts.read', poll: list, staleOn: { fees: true } },\n",
      ],
    ],
    'lib/console/fees/api.ts': [
      ["import { feeReads } from '#lib/api/fees.ts'", "import { z } from 'zod'\n"],
      ["feeReads } from '#lib/api/fees.ts'", 'plantedSearch, '],
      [
        'import { listFees, readFee }',
        `import { filterSchemas } from '#lib/index/search-schema.ts'
import { listPage, parseSearch } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
`,
      ],
      [
        'export const feeApi',
        `const PlantedFilters = z.object({ ...filterSchemas(plantedSearch.filters), ...listPage }).partial()

/** Planted rows. */
async function listPlanted(_environment: Environment, search: z.input<typeof PlantedFilters>) {
  const { q = '' } = parseSearch(PlantedFilters, search)
  return { rows: [{ id: q }], prevPageToken: null, nextPageToken: null }
}

`,
      ],
      ['listFees, readFee })', 'listPlanted, '],
    ],
  },
}

const action: Recipe = {
  changed: {
    'lib/api/limits.ts': [
      [
        '  previewLimits:',
        "  plantLimit: { needs: 'limits.set', act: 'limit.plant', label: 'Plant limit', changes: ['card-accounts'] },\n",
      ],
    ],
    'lib/console/limits/api.ts': [
      ['previewLimits, startLimits }\n', 'plantLimit, '],
      [
        'export const limitHandlers',
        `const plantLimit = action('plantLimit', {
  input: z.object({ environment: EnvironmentName, cardAccountId: ServiceId }),
  run: async ({ cardAccountId }) => ({ kind: 'planted' as const, cardAccountId }),
})

`,
      ],
      ["import { implement } from '#lib/gate/implement.ts'", "import { action } from '#lib/gate/action.ts'\n"],
      ['import { readLimitDraft', "import { EnvironmentName, ServiceId } from '#lib/shared/parse.ts'\n"],
      ['import { limitReads }', "import { z } from 'zod'\n"],
    ],
  },
}

/** The page of the planted read. */
const listPage: Recipe = {
  added: {
    'components/fees/planted-screen.tsx': `'use client'

import type { DataColumn } from '#components/data-table/data-column.ts'
import { ListFilters, ListTable } from '#components/environment/list-parts.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { useList } from '#components/environment/use-list.tsx'
import { defineListParams } from '#components/filters/list-params.ts'
import { plantedSearch } from '#lib/api/fees.ts'
import { type ReadResult, readQuery } from '#lib/queries/reads.ts'

const plantedList = defineListParams(plantedSearch)

const columns: DataColumn<ReadResult<'listPlanted'>['rows'][number]>[] = [
  { id: 'id', header: 'Id', cell: ({ id }) => id },
]

const names = { what: 'The rows', noun: 'row', tableId: 'planted', caption: 'Planted' }

export function PlantedScreen() {
  const environment = useEnvironment()
  const list = useList(plantedList, (search) => readQuery('listPlanted', environment, search), names)
  return (
    <>
      <ListFilters list={list} search={{ label: 'Search rows', placeholder: 'ID', ...list.filter('q') }} />
      <ListTable
        list={list}
        columns={columns}
        rows={list.data?.rows}
        rowId={({ id }) => id}
        none={{ title: 'No rows' }}
      />
    </>
  )
}
`,
    'app/[environment]/planted/page.tsx': `import { PlantedScreen } from '#components/fees/planted-screen.tsx'
import { plantedSearch } from '#lib/api/fees.ts'
import { routes } from '#lib/shared/routes.ts'
import { page, read, readSearch } from '../prefetch.tsx'

export const metadata = { title: 'Planted' }

export default page(async ({ environment, search }) => ({
  here: routes.planted(environment, search),
  reads: [read('listPlanted', environment, await readSearch(plantedSearch, search))],
  screen: <PlantedScreen />,
}))
`,
  },
  changed: {
    'lib/shared/routes.ts': [
      [
        '  audit: (environment: Environment',
        "  planted: (environment: Environment, search?: Search) => makePath([environment, 'planted'], search),\n",
      ],
    ],
    'components/environment/navigation.tsx': [
      ["      { at: routes.rates, label: 'Rates'", "      { at: routes.planted, label: 'Planted' },\n"],
    ],
  },
}

test('the recipes of CONTRIBUTING.md compile, break no rule and touch few files', () => {
  expect([endpoint, cardAction, read, action, listPage].map(countOf)).toEqual([4, 7, 2, 2, 4])
  expect(follow([endpoint, cardAction, read, action, listPage])).toEqual([])
})
