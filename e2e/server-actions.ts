import { readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')

type Manifest = { node: Record<string, { exportedName?: string }> }

/** The ids under which the build has the server actions. */
export function actionIds(): Record<string, string> {
  const file = path.join(root, process.env.NEXT_DIST_DIR ?? '.next', 'server', 'server-reference-manifest.json')
  const { node } = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  return Object.fromEntries(Object.entries(node).map(([id, { exportedName = id }]) => [exportedName, id]))
}

export function actionHeaders(id: string, cookie: string): Record<string, string> {
  return { 'next-action': id, 'content-type': 'text/plain;charset=UTF-8', accept: 'text/x-component', cookie }
}

/** Calls a server action as the browser does, with one argument or a list of them. Returns the text of the response. */
export async function responseOf(
  baseURL: string,
  cookie: string,
  id: string,
  input: object,
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await fetch(`${baseURL}/sandbox/card-accounts`, {
    method: 'POST',
    headers: { ...actionHeaders(id, cookie), origin: baseURL, ...headers },
    body: JSON.stringify(Array.isArray(input) ? input : [input]),
    redirect: 'manual',
  })
  return response.text()
}
