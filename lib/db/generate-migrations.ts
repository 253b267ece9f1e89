import { spawnSync } from 'node:child_process'
import { schemaNames } from './migrate.ts'

/** `npm run migrations -- NAME`: writes the next migration of each schema whose tables have changed. */
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
}
