import { describe, expect, test } from 'vitest'
import { isOpenAddress, webhookUrlError } from './webhook-address.ts'

const strict = { acceptsLoopbackWebhooks: false }
const sandbox = { acceptsLoopbackWebhooks: true }

const everywhereClosed = [
  ['0.0.0.0', 'https://0.0.0.0/hook'],
  ['0.0.0.0/8', 'https://0.1.2.3/hook'],
  ['private 10/8', 'https://10.0.0.5/hook'],
  ['private 172.16/12', 'https://172.31.255.255/hook'],
  ['private 192.168/16', 'https://192.168.1.1/hook'],
  ['shared', 'https://100.64.0.1/hook'],
  ['shared, last', 'https://100.127.255.254/hook'],
  ['link-local', 'https://169.254.10.10/hook'],
  ['metadata', 'https://169.254.169.254/latest/meta-data'],
  ['metadata in decimal', 'https://2852039166/'],
  ['metadata in hexadecimal', 'https://0xa9fea9fe/'],
  ['metadata in octal', 'https://0251.0376.0251.0376/'],
  ['metadata of other clouds', 'https://192.0.0.192/'],
  ['metadata in IPv6', 'https://[fd00:ec2::254]/'],
  ['metadata by name', 'https://metadata.google.internal/'],
  ['private, shortened', 'https://10.1/hook'],
  ['private in octal', 'https://012.0.0.1/hook'],
  ['private with full-width digits', 'https://１０.0.0.1/hook'],
  ['multicast', 'https://224.0.0.1/'],
  ['broadcast', 'https://255.255.255.255/'],
  ['unspecified IPv6', 'https://[::]/'],
  ['IPv4-mapped private', 'https://[::ffff:10.0.0.1]/'],
  ['IPv4-mapped public', 'https://[::ffff:8.8.8.8]/'],
  ['IPv4-mapped loopback in hexadecimal', 'https://[::ffff:7f00:1]/'],
  ['IPv4-compatible', 'https://[::7f00:1]/'],
  ['NAT64', 'https://[64:ff9b::a9fe:a9fe]/'],
  ['NAT64, local', 'https://[64:ff9b:1::1]/'],
  ['6to4 of a private address', 'https://[2002:a00:1::]/'],
  ['Teredo', 'https://[2001:0:a00:1::]/'],
  ['unique local', 'https://[fd12:3456::1]/'],
  ['link-local IPv6', 'https://[fe80::1]/'],
  ['multicast IPv6', 'https://[ff02::1]/'],
  ['a single label', 'https://intranet/hook'],
  ['a name of a private network', 'https://build.corp/hook'],
  ['a multicast DNS name', 'https://printer.local./hook'],
  ['a user name', 'https://user@example.com/hook'],
  ['another scheme', 'ftp://example.com/hook'],
  ['a file', 'file:///etc/passwd'],
  ['no URL', 'example.com/hook'],
] as const

test.each(everywhereClosed)('refuses %s', (_, url) => {
  expect(webhookUrlError(url, strict)).not.toBeNull()
  expect(webhookUrlError(url, sandbox)).not.toBeNull()
})

test.each([
  'http://127.0.0.1:3000/hook',
  'http://127.9.9.9/hook',
  'https://2130706433/hook',
  'https://0x7f.1/hook',
  'https://0177.0.0.1/hook',
  'https://127.0.0.1./hook',
  'http://[::1]:9000/hook',
  'http://localhost:3000/hook',
  'http://LOCALHOST./hook',
  'http://ops.localhost:3000/hook',
])('accepts the loopback address %s only where the sandbox does', (url) => {
  expect(webhookUrlError(url, strict)).not.toBeNull()
  expect(webhookUrlError(url, sandbox)).toBeNull()
})

test.each([
  'https://example.com/hook',
  'https://1.1.1.1/hook',
  'https://[2606:4700:4700::1111]/hook',
  'https://172.32.0.1/',
])('accepts the public address %s', (url) => {
  expect(webhookUrlError(url, strict)).toBeNull()
  expect(webhookUrlError(url, sandbox)).toBeNull()
})

describe('the console’s inbox', () => {
  const inbox = 'http://127.0.0.1:3000/api/webhooks/inbox/sandbox'
  const policy = { ...strict, consoleInboxUrl: inbox }

  test.each([
    inbox,
    'HTTP://127.0.0.1:3000/api/webhooks/inbox/sandbox',
    'http://127.1:3000/api/webhooks/inbox/sandbox',
  ])('is accepted as %s where loopback is refused', (url) => {
    expect(webhookUrlError(url, strict)).not.toBeNull()
    expect(webhookUrlError(url, policy)).toBeNull()
  })

  test.each([
    'http://127.0.0.1:3001/api/webhooks/inbox/sandbox',
    'http://127.0.0.1/api/webhooks/inbox/sandbox',
    'http://127.0.0.1:3000/api/webhooks/inbox/production',
    'http://127.0.0.1:3000/api/webhooks/inbox/sandbox/',
    'http://127.0.0.1:3000/api/webhooks/inbox/sandbox?a=1',
    'http://127.0.0.1:3000/api/webhooks/inbox/sandbox#a',
    'http://user@127.0.0.1:3000/api/webhooks/inbox/sandbox',
    'https://127.0.0.1:3000/api/webhooks/inbox/sandbox',
    'http://localhost:3000/api/webhooks/inbox/sandbox',
    'http://[::1]:3000/api/webhooks/inbox/sandbox',
    'http://127.0.0.2:3000/api/webhooks/inbox/sandbox',
  ])('makes nothing else on loopback acceptable: %s', (url) => {
    expect(webhookUrlError(url, policy)).not.toBeNull()
  })
})

test('accepts http only where the sandbox accepts loopback', () => {
  expect(webhookUrlError('http://example.com/hook', strict)).toBe('must begin with https:')
  expect(webhookUrlError('http://example.com/hook', sandbox)).toBeNull()
})

test('what is no IP address, or names a zone, is not connected to', () => {
  expect(isOpenAddress('example.com', sandbox)).toBe(false)
  expect(isOpenAddress('fe80::1%eth0', sandbox)).toBe(false)
  expect(isOpenAddress('', sandbox)).toBe(false)
})

test('hosts and networks of the settings are open, by http too, and nothing beside them', () => {
  const policy = { ...strict, webhookHosts: ['app', '10.0.0.0/8', '172.17.0.2', 'fd00::/8'] }
  const open = [
    'http://app:9000/hooks',
    'http://10.20.30.40/',
    'https://172.17.0.2/',
    'http://[fd00::1]/',
    'http://APP/',
  ]
  expect(open.map((url) => webhookUrlError(url, policy))).toEqual(open.map(() => null))
  const shut = [
    'http://app.internal/',
    'http://172.17.0.3/',
    'http://127.0.0.1/',
    'http://169.254.169.254/',
    'http://x-app/',
  ]
  for (const url of shut) expect(webhookUrlError(url, policy), url).not.toBeNull()
  expect(webhookUrlError('http://10.20.30.40/', strict)).not.toBeNull()
  expect([isOpenAddress('10.1.2.3', policy), isOpenAddress('192.168.0.1', policy)]).toEqual([true, false])
})
