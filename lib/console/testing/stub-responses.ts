import type { TestConsole } from './open-console.ts'

/** The response of a path to the n-th request for it, from 1; undefined leaves it to the built-in service. */
export type StubResponses = Record<string, (query: URLSearchParams, count: number) => unknown>

/** Has the console's service respond to some paths as the test says. Returns the query of each such request, by path. */
export function stubResponses(desk: TestConsole, responses: StubResponses): Map<string, URLSearchParams[]> {
  const received = new Map<string, URLSearchParams[]>(Object.keys(responses).map((path) => [path, []]))
  desk.intercept.before = (request, response) => {
    const url = new URL(request.url ?? '', 'http://service.test')
    const path = Object.keys(responses).find((one) => url.pathname.endsWith(one))
    const queries = path === undefined ? undefined : received.get(path)
    if (path === undefined || !queries) return false
    queries.push(url.searchParams)
    const body = responses[path]?.(url.searchParams, queries.length)
    if (body === undefined) return false
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
    return true
  }
  return received
}

/** A list in one page that ends with an empty page token; `idParameter` filters by the exact id. */
export function stubList(key: string, records: readonly object[], idParameter: string) {
  return (query: URLSearchParams) => {
    const id = query.get(idParameter)
    const found = records.filter((one) => id === null || ('id' in one && String(one.id) === id))
    return { [key]: found, nextPageToken: '' }
  }
}
