import { chmodSync, chownSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from './connection.ts'
import { newFolder, query, start } from './testing-folders.ts'

/** For localhost and the role carddesk_app, signed by itself, until 2126: the server's, the client's and the root. */
const certificate = pem(
  'CERTIFICATE',
  'MIIBoDCCAUegAwIBAgIUOBhKECyqXng3+dIGPI+xohaKP+YwCgYIKoZIzj0EAwIwFzEVMBMGA1UEAwwMY2FyZGRlc2tfYXBwMCAXDTI2MTEyMzA3MTYzOVoYDzIxMjYxMDMwMDcxNjM5WjAXMRUwEwYDVQQDDAxjYXJkZGVza19hcHAwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQIQYX3E0aqFQzu7Vi2OF2WhNw5jpFUfBhVVBPHuDRovXxEryNDgIX7sBbIdbXfJUhU1awdNuQjjbUhuzAuXRdGo28wbTAdBgNVHQ4EFgQUb2JwHCoRInV90ZY+wDFlLu0SrQ4wHwYDVR0jBBgwFoAUb2JwHCoRInV90ZY+wDFlLu0SrQ4wGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgPfgfQi0SsF9RTZcvTaB7dtJuz0sO1sTKbzFnISKcLjMCICzDv6Qkc1RkAG80FX/i22XzR2oEC8TNLf5fZV1CkHNS',
)
const key = pem(
  'PRIVATE KEY',
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg2+fj4SChMXytGB7ul2VIsbz0rSRJBsPZfqX2XPffFTmhRANCAAQIQYX3E0aqFQzu7Vi2OF2WhNw5jpFUfBhVVBPHuDRovXxEryNDgIX7sBbIdbXfJUhU1awdNuQjjbUhuzAuXRdG',
)

function pem(label: string, base64: string): string {
  return `-----BEGIN ${label}-----\n${base64.match(/.{1,64}/g)?.join('\n')}\n-----END ${label}-----\n`
}

test('a role without a password connects by its certificate, of which each connection reads the file', async () => {
  const folder = newFolder()
  const { databaseUrl } = await start(folder)
  const dataFolder = path.join(folder, 'postgres')
  const { uid, gid } = statSync(dataFolder)
  const write = (name: string, text: string) => {
    const file = path.join(dataFolder, name)
    writeFileSync(file, text)
    chownSync(file, uid, gid)
    chmodSync(file, 0o600)
    return file
  }
  const sslcert = write('client.crt', certificate)
  const sslkey = write('client.key', key)
  const sslrootcert = write('root.crt', certificate)
  write('server.crt', certificate)
  write('server.key', key)
  const rules = readFileSync(path.join(dataFolder, 'pg_hba.conf'), 'utf8')
  write('pg_hba.conf', `hostssl all carddesk_app 127.0.0.1/32 cert\nhost all carddesk_app all reject\n${rules}`)
  await query(databaseUrl, 'create role carddesk_app login')
  await query(databaseUrl, 'create role carddesk_other login')
  for (const setting of ["ssl_ca_file = 'root.crt'", 'ssl = on'])
    await query(databaseUrl, `alter system set ${setting}`)
  await query(databaseUrl, 'select pg_reload_conf()')

  const urlOf = (user: string, files: Record<string, string>) => {
    const url = new URL(databaseUrl)
    Object.assign(url, { username: user, password: '', hostname: 'localhost' })
    url.search = String(new URLSearchParams({ sslmode: 'verify-full', ...files }))
    return url.href
  }
  const files = { sslcert, sslkey, sslrootcert }
  const pool = connect(urlOf('carddesk_app', files)).$client
  onTestFinished(() => pool.end())
  const first = await pool.connect()
  const statement =
    'select usename, ssl, client_dn from pg_stat_ssl join pg_stat_activity using (pid) where pid = pg_backend_pid()'
  expect((await first.query(statement)).rows).toEqual([
    { usename: 'carddesk_app', ssl: true, client_dn: '/CN=carddesk_app' },
  ])
  await expect(query(urlOf('carddesk_app', { sslrootcert }), 'select 1')).rejects.toThrow(/certificate/)
  await expect(query(urlOf('carddesk_other', files), 'select 1')).rejects.toThrow()

  write('client.crt', 'replaced by something else')
  await expect(pool.connect()).rejects.toThrow()
  write('client.crt', certificate)
  const second = await pool.connect()
  expect((await second.query(statement)).rows).toHaveLength(1)
  for (const client of [first, second]) client.release()
})
