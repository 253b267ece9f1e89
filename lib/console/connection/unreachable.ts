import { connect } from 'node:tls'
import { errorCode } from '#lib/shared/root-cause.ts'
import { secondMs } from '#lib/shared/time.ts'

/**
 * Why no response came, and the setting that helps, in sentences for an administrator. `cause` is the failure of the
 * connection. Looks at the port's certificate once where TLS may be the reason; sends nothing to the service.
 */
export async function explainUnreachable(cause: unknown, baseUrl: string): Promise<string | null> {
  const { protocol, hostname, host } = new URL(baseUrl)
  const code = errorCode(cause)
  const isTls = protocol === 'https:'
  if (isTls && /^ERR_SSL_|^EPROTO$/.test(code)) {
    return `${host} doesn’t speak TLS: the URL should begin with http:// or have another port.`
  }
  const plain = plainCauses[code]?.(host, hostname)
  if (plain) return plain
  const certificate = await fetchCertificate(baseUrl)
  if (!isTls) return certificate ? `${host} speaks TLS: the URL should begin with https://.` : null
  const expiredAt = certificate && Date.parse(certificate.valid_to) < Date.now() ? certificate.valid_to : null
  if (code === 'CERT_HAS_EXPIRED' || expiredAt !== null) {
    const since = expiredAt === null ? '' : ` on ${new Date(expiredAt).toISOString().slice(0, 10)}`
    return `Its TLS certificate expired${since}: the service’s operator has to renew it.`
  }
  return tlsCauses[code]?.(hostname) ?? null
}

const noRoute = (host: string) => `No route to ${host}: check the address, and firewalls in between.`
const noAnswer = (host: string) =>
  `${host} didn’t accept a connection in time: check the address, and firewalls in between.`
const unresolved = (_host: string, name: string) => `The name ${name} isn’t known to DNS.`

const plainCauses: Readonly<Record<string, (host: string, name: string) => string>> = {
  ECONNREFUSED: (host) => `${host} refused the connection: nothing listens there, or a firewall refuses it.`,
  ENOTFOUND: unresolved,
  EAI_AGAIN: unresolved,
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  ETIMEDOUT: noAnswer,
  UND_ERR_CONNECT_TIMEOUT: noAnswer,
}

const authority =
  'Start Carddesk and its commands with NODE_EXTRA_CA_CERTS=FILE in the environment (not in .env), where FILE holds'
const selfSigned = () => `Its TLS certificate is self-signed. ${authority} that certificate (PEM).`
const unknownAuthority = () =>
  `Its TLS certificate is signed by an authority that this machine doesn’t know. ${authority} the authority’s certificate (PEM).`

/** Explanations by the error codes of Node and OpenSSL. */
const tlsCauses: Readonly<Record<string, (name: string) => string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  CERT_NOT_YET_VALID: () => 'Its TLS certificate isn’t valid yet: check the clocks of both machines.',
  ERR_TLS_CERT_ALTNAME_INVALID: (name) => `Its TLS certificate isn’t for ${name}: check the URL’s host.`,
}

/** The certificate that a port presents, whoever signed it; null where it doesn't speak TLS. */
function fetchCertificate(baseUrl: string): Promise<{ valid_to: string } | null> {
  const { hostname, port, protocol } = new URL(baseUrl)
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replaceAll(/[[\]]/g, ''),
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
      // Only the certificate is read; the connection carries nothing.
      rejectUnauthorized: false,
    })
    const end = (certificate: { valid_to: string } | null) => {
      socket.destroy()
      resolve(certificate)
    }
    socket.setTimeout(3 * secondMs, () => end(null))
    socket.on('error', () => end(null))
    socket.on('secureConnect', () => end(socket.getPeerCertificate()))
  })
}
