import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { toDraft, queryDrafts, toQuery, toValue } from '#components/qa/explorer/draft.ts'
import {
  snippetLanguages,
  makeSnippet,
  snippetRequest,
  type SnippetLanguage,
  type SnippetRequest,
} from '#components/qa/explorer/snippets.ts'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { endpointRow } from '#lib/contract/endpoints.ts'
import { requestForm } from '#lib/contract/request-form.ts'
import { accountIndex } from '#lib/index/accounts-sync.ts'
import { readExample, readExplorer } from './explorer.ts'
import { sendExplorerRequest } from './send-explorer-request.ts'

type SendInput = Parameters<typeof sendExplorerRequest>[0]

const desk = shareConsole({ seeded: 60 })
const run = promisify(execFile)

beforeEach(async () => {
  process.env.BUILT_IN_SERVICE = 'on'
  Reflect.deleteProperty(globalThis, 'carddeskExplorerRequests')
  await desk.signIn('qa')
})

const programs: Record<SnippetLanguage, string> = { curl: 'bash', node: process.execPath, python: 'python3' }

/** Writes the snippet to a file, as a person would, and returns what it prints. */
async function outputOf(language: SnippetLanguage, request: SnippetRequest): Promise<unknown> {
  const folder = mkdtempSync(path.join(tmpdir(), 'snippet-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { accessKey, privateKeyPem } = desk.service.caller
  const keyFile = path.join(folder, 'key.pem')
  writeFileSync(keyFile, privateKeyPem)
  const file = path.join(folder, snippetLanguages.find(({ id }) => id === language)?.file ?? '')
  writeFileSync(file, makeSnippet(language, request))
  const { stdout } = await run(programs[language], [file], {
    env: { ...process.env, ACCESS_KEY: accessKey, PRIVATE_KEY: keyFile },
  })
  return JSON.parse(stdout) as unknown
}

async function requestTo(changes: Partial<SendInput> & Pick<SendInput, 'endpoint'>): Promise<SnippetRequest> {
  const { baseUrl } = await readExplorer('sandbox')
  const { method, path: place } = endpointRow(changes.endpoint)
  return snippetRequest(
    baseUrl,
    { method, path: place },
    { params: {}, query: {}, body: null, idempotencyKey: '', ...changes },
  )
}

/** Characters that a shell, JavaScript or Python would take for their own. */
const hostile = `it's "$HOME" \`id\` \\n \${x} 香港 😀 %s`

const { stdout: pythonVersion } = await run('python3', ['--version']).catch(() => ({ stdout: '' }))
const languages = snippetLanguages.map(({ id }) => id).filter((id) => id !== 'python' || pythonVersion !== '')

test.each(languages)('%s: a read with a query is signed and accepted', async (language) => {
  const request = await requestTo({ endpoint: 'listCardAccounts', query: { pageSize: ['2'], xid: [hostile] } })
  expect(await outputOf(language, request)).toMatchObject({ cardaccounts: [] })
  const banks = await requestTo({ endpoint: 'listPayoutBanks', params: { countryCode: 'HK' } })
  expect(await outputOf(language, banks)).toHaveProperty('banks')
})

test.each(languages)('%s: a change is signed with its exact body and its key, and has one effect', async (language) => {
  const { body } = await readExample('sandbox', 'setXmetadata')
  const text = JSON.stringify({ ...body, xmetadata: { note: hostile } })
  const request = await requestTo({ endpoint: 'setXmetadata', body: text, idempotencyKey: `key-'"$-${language}` })
  expect(await outputOf(language, request)).toMatchObject({ xmetadata: { note: hostile } })
  const again = { ...request, body: text.replace('香', '港') }
  expect(await outputOf(language, again)).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
})

test('no snippet holds a key', async () => {
  const { accessKey, privateKeyPem } = desk.service.caller
  for (const language of languages) {
    const text = makeSnippet(language, await requestTo({ endpoint: 'ping' }))
    expect(text).not.toContain(accessKey)
    expect(text).not.toContain(privateKeyPem.split('\n')[1])
    expect(text).toContain('ACCESS_KEY')
  }
})

/** The console does not know the last six digits of a card. */
const withoutSuccess = ['activateCard']

test('the example of every endpoint fills its form, passes the contract, and succeeds', async () => {
  await accountIndex.readAll('sandbox')
  const { endpoints } = await readExplorer('sandbox')
  expect(endpoints.length).toBeGreaterThan(35)
  const outcomes: Record<string, unknown> = {}
  for (const { name } of endpoints) {
    const { params = {}, query = {}, body } = await readExample('sandbox', name)
    const form = requestForm(endpointRow(name))
    const draft = form.body && toDraft(form.body, body)
    if (form.body) expect(draft, `${name} fills the form`).not.toBeNull()
    Reflect.deleteProperty(globalThis, 'carddeskExplorerRequests')
    const result = await sendExplorerRequest({
      environment: 'sandbox',
      endpoint: name,
      params,
      query: toQuery(form.query, queryDrafts(form.query, query)),
      body: form.body ? JSON.stringify(toValue(form.body, draft ?? undefined)) : null,
      idempotencyKey: '',
      signing: 'valid',
      isUnchecked: false,
    })
    outcomes[name] = result.kind === 'sent' ? result.exchange.status : result
    if (result.kind === 'sent') expect({ name, at: result.exchange.deviations }).toEqual({ name, at: [] })
  }
  const others = Object.entries(outcomes).filter(([, outcome]) => outcome !== 200)
  expect(others).toEqual(withoutSuccess.map((name) => [name, 400]))
})
