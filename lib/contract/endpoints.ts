import { z } from 'zod'
import { accountEndpoints } from './accounts.ts'
import { bankEndpoints } from './banks.ts'
import { cardAccountEndpoints } from './card-accounts.ts'
import { cardEndpoints } from './cards.ts'
import { clientIdentityEndpoints } from './client-identity.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { feeEndpoints } from './fees.ts'
import { payoutEndpoints } from './payouts.ts'
import { rateEndpoints } from './rates.ts'
import { simulatorEndpoints } from './simulators.ts'
import { transactionEndpoints } from './transactions.ts'
import { webhookEndpoints } from './webhooks.ts'
import { xmetadataEndpoints } from './xmetadata.ts'

/** The whole interface, one row an endpoint. */
export const endpoints = {
  ping: endpoint({
    method: 'GET',
    path: '/ping',
    summary: 'Responds when the caller is authenticated.',
    response: z.object({ message: z.literal('pong') }),
    errors: [],
  }),
  ...cardAccountEndpoints,
  ...transactionEndpoints,
  ...cardEndpoints,
  ...payoutEndpoints,
  ...bankEndpoints,
  ...rateEndpoints,
  ...accountEndpoints,
  ...xmetadataEndpoints,
  ...webhookEndpoints,
  ...clientIdentityEndpoints,
  ...feeEndpoints,
  ...simulatorEndpoints,
} satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof endpoints
export type EndpointOf<Name extends EndpointName> = (typeof endpoints)[Name]

type Parsed<Row, Part extends string> = Row extends { [Key in Part]: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined
type Given<Row, Part extends string> = Row extends { [Key in Part]: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : undefined

/** The parsed request that a handler gets. */
export type ParsedRequest<Name extends EndpointName> = {
  params: Parsed<EndpointOf<Name>, 'params'>
  query: Parsed<EndpointOf<Name>, 'query'>
  body: Parsed<EndpointOf<Name>, 'body'>
}

/** The request as a caller writes it. */
export type QueryOf<Name extends EndpointName> = Given<EndpointOf<Name>, 'query'>
export type BodyOf<Name extends EndpointName> = Given<EndpointOf<Name>, 'body'>
export type ParamsOf<Name extends EndpointName> = Given<EndpointOf<Name>, 'params'>
export type ResponseOf<Name extends EndpointName> = z.output<EndpointOf<Name>['response']>

export const endpointNames = Object.keys(endpoints) as EndpointName[]

/** The row as the kernel's type, for code that goes through the table. */
export function endpointRow(name: EndpointName): Endpoint {
  return endpoints[name]
}

/** Method and path of an endpoint, as people name it. */
export function endpointText(name: EndpointName): string {
  const { method, path } = endpointRow(name)
  return `${method} ${path}`
}
