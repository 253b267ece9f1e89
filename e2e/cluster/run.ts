import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeBuild } from '#lib/launch/build.ts'
import { backup } from './backup.ts'
import { failover } from './failover.ts'
import { debianPostgres, postgresPrograms } from './postgres.ts'

/** `npm run cluster`, or a part of it: `npm run cluster -- backup`. Exit code 1 where a figure is not as it has to be. */
const parts = ['failover', 'backup']
const chosen = process.argv.slice(2)
const programs = postgresPrograms()
const find = (name: string) =>
  ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin']
    .map((at) => path.join(at, name))
    .find((file) => existsSync(file))
const haproxy = find('haproxy')
if (chosen.some((part) => !parts.includes(part))) {
  console.error(`The parts are ${parts.join(' and ')}.`)
  process.exit(2)
}
if (!programs || !haproxy || !find('patroni') || !find('etcd')) {
  console.error('This needs four of Debian’s packages: apt-get install postgresql patroni etcd-server haproxy')
  process.exit(2)
}

const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-cluster-'))
// PostgreSQL may run as another user, who has to reach the folder.
chmodSync(folder, 0o755)
try {
  await makeBuild(console.log, { isServer: false })
  const postgres = debianPostgres(programs, path.join(folder, 'postgres'))
  const results: boolean[] = []
  if (chosen.length === 0 || chosen.includes('failover')) results.push(await failover(postgres, haproxy, folder))
  if (chosen.length === 0 || chosen.includes('backup')) results.push(await backup(postgres, folder))
  process.exitCode = results.every(Boolean) ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
