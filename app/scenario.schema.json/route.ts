import { readFile } from 'node:fs/promises'
import path from 'node:path'

const file = path.join(process.env.CARDDESK_ROOT ?? process.cwd(), 'docs', 'carddesk.scenario.schema.json')

/** The JSON Schema of scenario files, for editors, which sign in nowhere. It names fields of the interface and no data. */
export async function GET(): Promise<Response> {
  const schema = await readFile(/* turbopackIgnore: true */ file, 'utf8')
  return new Response(schema, {
    headers: { 'content-type': 'application/schema+json', 'cache-control': 'public, max-age=3600' },
  })
}
