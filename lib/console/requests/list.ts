import 'server-only'
import { and, eq, getTableColumns, gte, isNull, or } from 'drizzle-orm'
import { z } from 'zod'
import { requestSearch } from '#lib/api/requests.ts'
import { database } from '#lib/db/connection.ts'
import { pageByNumber } from '#lib/index/keyset.ts'
import { filterSchemas } from '#lib/index/search-schema.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { parseSearch, listPage } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { serviceRequests } from '#lib/tables/requests.ts'
import type { ServiceRequestDetail, ServiceRequestPage } from './types.ts'

const RequestFilters = z.object({ ...filterSchemas(requestSearch.filters), ...listPage }).partial()
export type ServiceRequestFilters = z.input<typeof RequestFilters>

/** The console's requests to the service, newest first. */
export async function listRequests(
  environment: Environment,
  search: ServiceRequestFilters,
): Promise<ServiceRequestPage> {
  const { pageSize: size = 50, pageToken: token, ...filters } = parseSearch(RequestFilters, search)
  const { requestId, operationId, method, failed, background } = filters
  const { id, status } = serviceRequests
  // A search by an id also finds requests of background work.
  const isNamed = requestId !== undefined || operationId !== undefined
  const { rows, ...tokens } = await pageByNumber(
    id,
    'desc',
    { scope: ['requests', environment, filters], token, size },
    (row: { id: number }) => row.id,
    ({ condition, order, limit }) =>
      database()
        .select(summaryColumns)
        .from(serviceRequests)
        .where(
          and(
            eq(serviceRequests.environment, environment),
            requestId
              ? or(eq(serviceRequests.requestId, requestId), eq(serviceRequests.consoleRequestId, requestId))
              : undefined,
            operationId ? eq(serviceRequests.operationId, operationId) : undefined,
            method ? eq(serviceRequests.method, method) : undefined,
            failed ? or(isNull(status), gte(status, 400)) : undefined,
            background || isNamed ? undefined : eq(serviceRequests.isBackground, false),
            condition,
          ),
        )
        .orderBy(...order)
        .limit(limit),
  )
  return { requests: rows.map(withTimeText), ...tokens }
}

/** One request with its bodies, which are masked for the reader. Throws `REQUEST_NOT_FOUND`. */
export async function readRequest(environment: Environment, id: string): Promise<ServiceRequestDetail> {
  const [row] = /^[1-9]\d{0,14}$/.test(id)
    ? await database()
        .select({ ...summaryColumns, ...bodyColumns })
        .from(serviceRequests)
        .where(and(eq(serviceRequests.id, Number(id)), eq(serviceRequests.environment, environment)))
    : []
  if (!row) throw new AppError('REQUEST_NOT_FOUND', 'The request log does not have this request.')
  return withTimeText(row)
}

const {
  environment: _environment,
  requestBody,
  requestNote,
  responseBody,
  responseNote,
  ...summaryColumns
} = getTableColumns(serviceRequests)
const bodyColumns = { requestBody, requestNote, responseBody, responseNote }

function withTimeText<Row extends { at: Date }>(row: Row): Omit<Row, 'at'> & { at: string } {
  return { ...row, at: row.at.toISOString() }
}
