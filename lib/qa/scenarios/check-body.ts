import { z } from 'zod'
import { fieldIssues } from '#lib/contract/describe-issues.ts'
import { endpointRow, type EndpointName } from '#lib/contract/endpoints.ts'
import { didYouMean } from '#lib/shared/closest-name.ts'
import { isFields } from '#lib/shared/json.ts'
import type { Problem } from './describe-issue.ts'
import { lookUp, type Path } from './expressions.ts'
import type { CallStep } from './schema.ts'

/**
 * What the interface would refuse or ignore of a call's body, as far as it is written out: a value with an expression in it is known
 * only at the run. A call that expects to be refused may be wrong on purpose.
 */
export function checkBody(step: CallStep, endpoint: EndpointName, path: Path): Problem[] {
  const { call, body, expect = {} } = step
  const { body: schema } = endpointRow(endpoint)
  if (!schema || body === undefined || 'status' in expect || 'code' in expect) return []
  const at = (inner: Path) => [...path, 'body', ...inner]
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : null
  const unknown = names && isFields(body) ? Object.keys(body).filter((name) => !names.includes(name)) : []
  const issues = schema.safeParse(body).error?.issues ?? []
  return [
    ...unknown.map((name) => ({
      path: at([name]),
      message: `${name} isn’t a field of ${call}; it takes ${names?.join(', ')}.${didYouMean(name, names ?? [])}`,
      key: true,
    })),
    ...issues.flatMap((issue) => {
      const inner = issue.path as Path
      if (holdsExpression(lookUp(body, inner))) return []
      return fieldIssues([issue], body, 'body').map(({ path: field, message }) => ({
        path: at(inner),
        message: `${field} ${message}.`,
      }))
    }),
  ]
}

function holdsExpression(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('${')
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression)
}
