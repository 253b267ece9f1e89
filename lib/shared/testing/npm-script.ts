import { readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..', '..', '..')

/** What `npm run <name>` starts Node with: its options and the program, as a test starts them in the project's folder. */
export function nodeArguments(name: string): string[] {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const [node, ...rest] = scripts[name]?.split(' ') ?? []
  if (node !== 'node') throw new Error(`the script ${name} starts no Node`)
  return rest
}
