import { respondToTicketRequest } from '#lib/console/embed/request.ts'

/** An agent requests something in the frame of an embedded view, with its token. */
export function POST(request: Request): Promise<Response> {
  return respondToTicketRequest(request)
}
