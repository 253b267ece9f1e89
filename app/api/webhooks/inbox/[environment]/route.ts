import { receiveDelivery } from '#lib/console/inbox/receive.ts'

/** Where the service delivers its events: nobody is signed in here, the signature is what counts. */
export async function POST(request: Request, context: { params: Promise<{ environment: string }> }): Promise<Response> {
  return receiveDelivery(request, (await context.params).environment)
}
