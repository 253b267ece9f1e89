/** Replaces next/headers outside a request: the cookies of the person who acts in the test. */
const jar = new Map<string, string>()

export function setCookie(name: string, value: string | null): void {
  if (value === null) jar.delete(name)
  else jar.set(name, value)
}

export async function cookies() {
  return {
    get: (name: string) => {
      const value = jar.get(name)
      return value === undefined ? undefined : { name, value }
    },
    set: setCookie,
    getAll: () => [...jar].map(([name, value]) => ({ name, value })),
  }
}

let requestHeaders = new Headers()

/** The headers of the request that is handled from here on. */
export function setRequestHeaders(headers: Record<string, string>): void {
  requestHeaders = new Headers(headers)
}

export async function headers(): Promise<Headers> {
  return requestHeaders
}
