import { isReady } from '#lib/jobs/readiness.ts'

export const dynamic = 'force-dynamic'

/** Whether the process can serve people: a proxy sends them to another one where it cannot. While it stops, the server itself says 503. */
export async function GET(): Promise<Response> {
  const ready = await isReady()
  return Response.json(
    { status: ready ? 'ok' : 'unavailable' },
    { status: ready ? 200 : 503, headers: { 'cache-control': 'no-store' } },
  )
}
