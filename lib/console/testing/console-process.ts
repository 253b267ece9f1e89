import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import type { TestConsole } from './open-console.ts'

/** Starts a program of this folder in a process of its own, without Next. It is killed at the latest when the test ends. */
export function startProcess(program: URL, variables: Readonly<Record<string, string | undefined>>) {
  const fastImports = new URL('../../launch/fast-imports.mjs', import.meta.url).href
  const outsideNext = new URL('outside-next.ts', import.meta.url).href
  const child = spawn(
    process.execPath,
    ['--conditions=react-server', '--import', fastImports, '--import', outsideNext, fileURLToPath(program)],
    { env: { ...process.env, ...variables }, stdio: ['pipe', 'pipe', 'inherit'] },
  )
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, exited: once(child, 'exit'), output: () => output }
}

/** The settings of another process of this test's console. */
export function toSettings({ databaseUrl }: TestConsole): Record<string, string | undefined> {
  const { sealingKey, services, sessionSecret, consoleUrl } = consoleSettings()
  return {
    DATABASE_URL: databaseUrl,
    NEXTAUTH_URL: consoleUrl,
    NEXTAUTH_SECRET: sessionSecret,
    CONSOLE_SEALING_KEY: sealingKey.toString('base64'),
    SERVICE_SANDBOX_URL: services.sandbox?.baseUrl,
    SERVICE_SANDBOX_ACCESS_KEY: services.sandbox?.accessKey,
    SERVICE_SANDBOX_PRIVATE_KEY: services.sandbox?.privateKey ?? undefined,
  }
}
