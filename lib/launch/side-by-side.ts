import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * `node lib/launch/side-by-side.ts types lint unit` runs these npm scripts at once and fails where one of them does. The
 * last one writes straight to the terminal; what the others wrote follows it, each in one piece.
 */
const scripts = process.argv.slice(2)

async function run(script: string, place: number): Promise<{ script: string; code: number | null; output: string }> {
  const isLast = place === scripts.length - 1
  const child = spawn('npm', ['run', '--silent', script], {
    stdio: isLast ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) },
  })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { script, code, output: Buffer.concat(chunks).toString() }
}

// A Ctrl C reaches the scripts too: they end by themselves, and so do we after them.
process.on('SIGINT', () => undefined)

const ends = await Promise.all(scripts.map(run))
for (const { output } of ends) process.stdout.write(output)
for (const { script, code } of ends) {
  if (code === 0) continue
  console.error(`npm run ${script} failed`)
  process.exitCode = 1
}
