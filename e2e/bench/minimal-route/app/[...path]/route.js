import { startReading } from '../../../minimal-read.ts'

let read

export async function GET(request) {
  read ??= startReading()
  const { pathname, search } = new URL(request.url)
  return new Response(await read(`${pathname}${search}`), { headers: { 'content-type': 'application/json' } })
}
