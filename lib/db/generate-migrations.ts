import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { schemaNames } from './migrate.ts'

/**
 * `npm run migrations -- NAME`: writes the next migration of each schema whose tables have changed, beside the description of
 * all tables that the one after it is compared with. Older descriptions are deleted: nothing reads them.
 */
const [name] = process.argv.slice(2)
if (!name || !/^[a-z][a-z0-9-]*$/.test(name)) {
  process.stderr.write('Name the change, such as: npm run migrations -- add-fee-reason\n')
  process.exit(1)
}
for (const schema of schemaNames) {
  const { status } = spawnSync('drizzle-kit', ['generate', '--config', 'lib/db/drizzle.config.ts', '--name', name], {
    stdio: 'inherit',
    env: { ...process.env, MIGRATIONS_OF: schema },
  })
  if (status !== 0) process.exit(status ?? 1)
  const described = `lib/db/migrations/${schema}/meta`
  const snapshots = readdirSync(described).filter((name) => name.endsWith('_snapshot.json'))
  for (const older of snapshots.toSorted().slice(0, -1)) rmSync(`${described}/${older}`)
}
