import type { IncomingMessage, RequestListener } from 'node:http'
import { parseAndValidateFlightRouterState } from 'next/dist/server/app-render/parse-and-validate-flight-router-state.js'
import { isForHelpDesk } from './demo-help-desk.ts'
import type { Rejection } from './http-limits.ts'

export type HeadOptions = {
  demoUrl: string | null
  helpDesk?: RequestListener | null
  serviceHosts?: ServiceHosts | null
}

const longestTarget = 16 * 1024
/** A browser keeps at most 180 cookies of a site. Next and next-auth take time with the square of these numbers. */
const mostParts = 200

export const httpMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const serviceMount = /^\/service\/(v1|control|sandboxes)(?=[/?]|$)/

/** Why a request is rejected or led elsewhere before its body is read; null where it is not. */
export function headRejection(request: IncomingMessage, options: HeadOptions): Rejection | null {
  const { url = '', headers, method = '' } = request
  const { demoUrl, serviceHosts } = options
  if (!url.startsWith('/')) return { status: 400, message: 'The request line has no path.' }
  if (url.length > longestTarget) return { status: 414, message: 'The address is too long.' }
  if (!serviceMount.test(url) && !isDecodable(url.replace(/\?.*/s, '')))
    return { status: 400, message: 'The address has an escape that is none.' }
  if (url.split('&').length > mostParts) return { status: 414, message: 'The address has too many parameters.' }
  if ((headers.cookie ?? '').split(';').length > mostParts)
    return { status: 431, message: 'The request has too many cookies.' }
  if (headers.rsc !== undefined && !isRouterState(headers['next-router-state-tree']))
    return { status: 400, message: 'The state of the router is none.' }
  if (demoUrl && !isLoopbackName(headers.host))
    return { status: 421, message: `The demo is only at ${demoUrl} and this machine’s own names.` }
  if (serviceHosts && isElsewhere(request, serviceHosts))
    return { status: 421, message: 'The console and the built-in service have host names of their own.' }
  if (options.helpDesk && isForHelpDesk(request)) return null
  if (demoUrl && isPageByAddress(request)) {
    const location = `${demoUrl}${url}`
    return { status: 307, message: `The page is at ${location}.`, headers: { location } }
  }
  if (isNoAction(request))
    return { status: 405, message: 'A page knows no such request.', headers: { allow: 'GET, HEAD' } }
  if (isActionOfOtherSite(request)) return { status: 403, message: 'Only a page of the console acts in it.' }
  if (httpMethods.has(method) || serviceMount.test(url)) return null
  return { status: 405, message: 'The console knows no such method.', headers: { allow: 'GET, HEAD, POST' } }
}

/** Next responds to any other path as if it had failed. */
function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

/** Next responds to any other state as if it had failed. */
function isRouterState(header: string | string[] | undefined): boolean {
  try {
    parseAndValidateFlightRouterState(header)
    return true
  } catch {
    return false
  }
}

/** The host name of the built-in service, and the one by which the console calls it on this machine. */
type ServiceHosts = { own: string; internal: string }

/** Whether a request is for the service under the name of the console, or the other way around. A load balancer may use either. */
function isElsewhere({ url = '', headers: { host = '' } }: IncomingMessage, { own, internal }: ServiceHosts): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  if (/^\/service(?=[/?]|$)/.test(url)) return name !== own && name !== internal
  return name === own && !/^\/api\/health(?=[/?]|$)/.test(url)
}

/** A page is only read; what else is sent to one has to be a server action, except the form that signs out. Next would draw the page for it. */
function isNoAction({ method = '', url = '', headers }: IncomingMessage): boolean {
  if (!isSentToPage({ method, url })) return false
  const isForm = /^multipart\/form-data\b/i.test(headers['content-type'] ?? '')
  return method !== 'POST' || (headers['next-action'] === undefined && !isForm)
}

/** Whether a page elsewhere sent a server action. Next compares the origins as well, and logs a failure for each that differs. */
function isActionOfOtherSite({ method = '', url = '', headers }: IncomingMessage): boolean {
  if (!isSentToPage({ method, url })) return false
  const { origin, host, 'x-forwarded-host': forwarded } = headers
  const own = String(forwarded ?? host ?? '')
    .split(',')[0]
    ?.trim()
  const isOther = origin !== undefined && origin !== 'null' && URL.parse(origin)?.host !== own?.toLowerCase()
  return isOther || /^(?:cross|same)-site$/.test(String(headers['sec-fetch-site'] ?? ''))
}

function isSentToPage({ method, url }: { method: string; url: string }): boolean {
  return !readingMethods.has(method) && !/^\/(api|service|_next|sign-out)(?=[/?]|$)/.test(url)
}

const readingMethods = new Set(['GET', 'HEAD'])

function isLoopbackName(host = ''): boolean {
  return /^(([\w-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)
}

function isPageByAddress({ method, url = '', headers: { host = '' } }: IncomingMessage): boolean {
  return method === 'GET' && /^(127\.|\[)/.test(host) && !/^\/(api|service|_next)\/|^\/[/\\]/.test(url)
}
