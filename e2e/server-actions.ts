import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { ActionName } from '#lib/api/actions.ts'

const root = path.join(import.meta.dirname, '..')

type Manifest = { node: Record<string, { exportedName?: string }> }

/** The ids under which the build has the server actions, by the names of their functions. */
export function serverActionIds(): Record<string, string> {
  const file = path.join(root, process.env.NEXT_DIST_DIR ?? '.next', 'server', 'server-reference-manifest.json')
  const { node } = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  return Object.fromEntries(Object.entries(node).map(([id, { exportedName = id }]) => [exportedName, id]))
}

export function actionHeaders(cookie: string, id = serverActionIds().runAction ?? ''): Record<string, string> {
  return { 'next-action': id, 'content-type': 'text/plain;charset=UTF-8', accept: 'text/x-component', cookie }
}

/** Runs an action as the browser does. Returns the text of the response. */
export async function sendAction(
  baseURL: string,
  cookie: string,
  name: ActionName,
  input: object,
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await fetch(`${baseURL}/sandbox/card-accounts`, {
    method: 'POST',
    headers: { ...actionHeaders(cookie), origin: baseURL, ...headers },
    body: JSON.stringify([name, input]),
    redirect: 'manual',
  })
  return response.text()
}
