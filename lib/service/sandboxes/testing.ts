import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { basic, readTestResponse, type TestResponse, type TestService } from '../testing.ts'
import { handleSandbox } from './handle.ts'
import type { Sandbox } from './sandboxes.ts'

/** A sandbox as its callers see it. */
export type TestSandbox = Sandbox & {
  send: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<TestResponse>
  control: (method: string, path: string, body?: unknown) => Promise<TestResponse>
}

/** Makes a sandbox by the control plane of a service. */
export async function makeSandbox(service: TestService, given: object = {}): Promise<TestSandbox> {
  const made = await service.control('POST', '/sandboxes', given)
  if (made.status !== 200) throw new Error(`no sandbox was made: ${made.status} ${made.text}`)
  return makeCallers(service, made.json as Sandbox)
}

/** The calls of a sandbox that may be gone. */
export function makeCallers({ service, caller }: TestService, sandbox: Sandbox): TestSandbox {
  const sendTo = async (url: string, method: string, body: unknown, given: Record<string, string> = {}) => {
    const target = url.slice(new URL(url).origin.length)
    const headers = {
      authorization: basic(caller.accessKey),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...given,
    }
    const request = new Request(url, { method, headers, body: body === undefined ? null : JSON.stringify(body) })
    const socket = { destroy: () => undefined } as unknown as Socket
    return readTestResponse(await handleSandbox(request, { remoteAddress: '127.0.0.1', target, socket }, service))
  }
  return {
    ...sandbox,
    send: (method, path, body, headers) =>
      sendTo(`${sandbox.baseUrl}${path}`, method, body, {
        ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
        ...headers,
      }),
    control: (method, path, body) => sendTo(`${sandbox.controlUrl}${path}`, method, body),
  }
}
