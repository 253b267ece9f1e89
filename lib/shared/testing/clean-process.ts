/**
 * Test files share a process. Before each of them, what the product keeps in it is forgotten (everything under
 * `globalThis.carddesk…`), and the environment variables are those that the process began with.
 */
const kept = globalThis as typeof globalThis & { testEnvironment?: NodeJS.ProcessEnv } & Record<string, unknown>

for (const name of Object.keys(kept)) if (name.startsWith('carddesk')) delete kept[name]

kept.testEnvironment ??= { ...process.env }
for (const name of Object.keys(process.env)) if (!(name in kept.testEnvironment)) delete process.env[name]
Object.assign(process.env, kept.testEnvironment)
