import { readFile } from 'node:fs/promises'
import path from 'node:path'

const file = path.join(process.cwd(), 'node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2')

/** The console's font at a fixed URL, for the embedded views, whose page is not Next's. */
export async function GET(): Promise<Response> {
  const font = await readFile(/* turbopackIgnore: true */ file)
  return new Response(new Uint8Array(font), {
    headers: { 'content-type': 'font/woff2', 'cache-control': 'public, max-age=86400' },
  })
}
