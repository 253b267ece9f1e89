import 'server-only'
import { type Signing, signings, unsignedWays } from '#lib/client/raw-request.ts'
import { type EndpointName, endpointNames, endpointRow } from '#lib/contract/endpoints.ts'
import { requestForm } from '#lib/contract/request-form.ts'
import { testValues } from '#lib/contract/test-values.ts'
import { findLab } from '#lib/environments/lab.ts'
import { AppError } from '#lib/shared/app-error.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { withoutTrailingSlashes } from '#lib/shared/texts.ts'
import { type LabSearch, sandboxIn } from './control.ts'
import { makeExample, type Example } from './examples.ts'
import { connectionIn } from './sandboxes.ts'
import type { EndpointSummary, Explorer, ExplorerEndpoint } from './types.ts'

export async function readExplorer(environment: Environment, search?: LabSearch): Promise<Explorer> {
  const sandbox = sandboxIn(search)
  return {
    sandbox,
    baseUrl: withoutTrailingSlashes(connectionIn({ environment, sandbox }).baseUrl),
    signings: listSignings(environment),
    endpoints: endpointNames.map(toSummary),
    testValues: findLab(environment) === 'built-in' ? testValues : [],
  }
}

/** The ways to sign that a connection has. */
export function listSignings(environment: Environment): readonly Signing[] {
  return connectionIn({ environment, sandbox: null }).privateKey === null ? unsignedWays : signings
}

function toSummary(name: EndpointName): EndpointSummary {
  const { method, path, summary } = endpointRow(name)
  return { name, method, path, summary }
}

/** Throws `ENDPOINT_NOT_FOUND`. */
export async function readExplorerEndpoint(environment: Environment, name: string): Promise<ExplorerEndpoint> {
  const known = endpointNamed(name)
  const row = endpointRow(known)
  return {
    ...toSummary(known),
    rules: row.rules ?? [],
    form: requestForm(row),
    isSandboxOnly: row.sandboxOnly ?? false,
  }
}

/** Example values of an endpoint, with ids of the sandbox. Throws `ENDPOINT_NOT_FOUND`. */
export async function readExample(environment: Environment, name: string, search?: LabSearch): Promise<Example> {
  return makeExample({ environment, sandbox: sandboxIn(search) }, endpointNamed(name))
}

function endpointNamed(name: string): EndpointName {
  const known = endpointNames.find((each) => each === name)
  if (!known) throw new AppError('ENDPOINT_NOT_FOUND', 'There is no such endpoint.')
  return known
}
