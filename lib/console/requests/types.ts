import type { PageTokens } from '#lib/shared/page-tokens.ts'

/** A call of the service by the console, with all its attempts. `status` is null where no response came. */
export type ServiceRequest = {
  id: number
  at: string
  endpoint: string
  method: string
  path: string
  status: number | null
  code: string | null
  durationMs: number
  attempts: number
  requestId: string | null
  operationId: string | null
  /** The `x-request-id` of the console's response that it was made for. */
  consoleRequestId: string | null
  isBackground: boolean
}

/** The notes say why a body is not stored. */
export type ServiceRequestDetail = ServiceRequest & {
  requestBody: string | null
  requestNote: string | null
  responseBody: string | null
  responseNote: string | null
}

export type ServiceRequestPage = { requests: ServiceRequest[] } & PageTokens
