import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { endpoints } from './endpoints.ts'
import { openApiDocument } from './openapi.ts'

const document = openApiDocument(endpoints, 'http://127.0.0.1:3000/service/v1')

test('an independent validator accepts the document of the whole interface', async () => {
  expect(await new Validator().validate(structuredClone(document) as Record<string, unknown>)).toEqual({ valid: true })
})

test('the validator refuses a document with a parameter that is nowhere', async () => {
  const broken = structuredClone(document) as { paths: Record<string, { get?: { parameters?: { in: string }[] } }> }
  const parameter = broken.paths['/cards']?.get?.parameters?.[0]
  expect(parameter).toBeDefined()
  if (parameter) parameter.in = 'nowhere'
  expect(await new Validator().validate(broken)).toMatchObject({ valid: false })
})

test('every reference of the document leads to a schema, and none to a name that the generator made up', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference)
  expect(references.length).toBeGreaterThan(50)
  const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)
  expect([...new Set(references)].filter((reference) => !known.includes(reference))).toEqual([])
})

test('every endpoint is in the document under its method and path', () => {
  const served = Object.entries(openApiDocument(endpoints, 'http://127.0.0.1/v1').paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
  )
  expect(served.sort()).toEqual(
    Object.entries(endpoints)
      .map(([name, { method, path }]) => `${name} ${method} ${path}`)
      .sort(),
  )
})

test('a list parameter is documented as an array with its values, and the page size as an integer', () => {
  const parameters = document.paths['/cardaccounts/transactions']?.get?.parameters ?? []
  expect(parameters.find(({ name }) => name === 'intent')?.schema).toMatchObject({
    type: 'array',
    items: { enum: expect.arrayContaining(['charge', 'refund']) as unknown },
  })
  expect(parameters.find(({ name }) => name === 'pageSize')?.schema).toEqual({
    type: 'integer',
    minimum: 1,
    default: 20,
  })
})

test('responses may gain fields: no object of the document is closed', () => {
  expect(JSON.stringify(document)).not.toContain('"additionalProperties":false')
})

describe('the linter', () => {
  /** The rules that broke, with the place of each. Beyond the recommended rules, two of Spectral's. */
  async function broken(linted: object): Promise<string[]> {
    const rules = { 'operation-description': 'error', 'info-contact': 'error' } as const
    const config = await createConfig({ extends: ['recommended'], rules })
    const problems = await lintFromString({ source: JSON.stringify(linted), config })
    return problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`)
  }

  test('has nothing to say of the document', async () => {
    expect(await broken(document)).toEqual([])
  })

  test('names an operation whose id is not fit for a URL', async () => {
    const wrong = structuredClone(document)
    const [delivery] = Object.values(wrong.webhooks)
    if (delivery) delivery.post.operationId = 'deliver card.updated'
    expect(await broken(wrong)).toEqual([expect.stringContaining('operation-operationId-url-safe')])
  })
})
