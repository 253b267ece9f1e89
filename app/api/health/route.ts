/** Whether the process responds: for a supervisor, and for the benchmarks as the least that a handler can do. */
export function GET(): Response {
  return Response.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } })
}
