import { receiveDelivery } from '#lib/console/inbox/receive.ts'

/** Receives the service's events. There is no session here: the signature authenticates the sender. */
export async function POST(request: Request, context: { params: Promise<{ environment: string }> }): Promise<Response> {
  return receiveDelivery(request, (await context.params).environment)
}
