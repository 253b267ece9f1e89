import { z } from 'zod'
import { fieldIssues } from '#lib/contract/describe-issues.ts'
import { endpointRow, type EndpointName } from '#lib/contract/endpoints.ts'
import { closestName } from '#lib/shared/closest-name.ts'
import { isFields } from '#lib/shared/json.ts'
import type { Problem } from './describe-issue.ts'
import { lookUp, type Path } from './expressions.ts'
import type { CallStep } from './schema.ts'

/**
 * What the interface would refuse of a call's body, and fields that are misspelt, as far as it is written out: a value with an expression
 * in it is known only at the run. A call that expects to be refused may be wrong on purpose, and a service may have fields of its own.
 */
export function checkBody(step: CallStep, endpoint: EndpointName, path: Path): Problem[] {
  const { call, body, expect = {} } = step
  const { body: schema } = endpointRow(endpoint)
  if (!schema || body === undefined || 'status' in expect || 'code' in expect) return []
  const at = (inner: Path) => [...path, 'body', ...inner]
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  const others = isFields(body) ? Object.keys(body).filter((name) => !names.includes(name)) : []
  const issues = schema.safeParse(body).error?.issues ?? []
  return [
    ...others.flatMap((name) => {
      const meant = closestName(name, names)
      const message = `${name} isn’t a field of ${call}. Did you mean ${meant}?`
      return meant === null ? [] : [{ path: at([name]), message, key: true }]
    }),
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
