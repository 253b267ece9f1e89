import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { mistakeText, parseScenario } from './parse.ts'
import type { Fragments, Scenario } from './schema.ts'

/** The folder of the built-in scenarios, below the project's root. */
const folder = path.join('lib', 'qa', 'scenarios', 'built-in')

export type BuiltInScenario = { name: string; text: string; scenario: Scenario }

/** The fragments that `use` names, in each scenario. Throws an `Error` that names the mistakes of one that is wrong. */
export function builtInFragments(root: string): Fragments {
  const fragments = new Map<string, Scenario>()
  let waiting = readYamlFiles(path.join(root, folder, 'fragments'))
  while (waiting.length > 0) {
    // A fragment that uses another one is read after it.
    const ready = waiting.filter(({ name, text }) => parseScenario(text, name, fragments).ok)
    for (const { name, text } of ready.length > 0 ? ready : waiting) fragments.set(name, parsed(name, text, fragments))
    waiting = waiting.filter((one) => !ready.includes(one))
  }
  return fragments
}

/** Every built-in scenario, in the order of their names. Throws an `Error` that names the mistakes of one that is wrong. */
export function builtInScenarios(root: string): BuiltInScenario[] {
  const fragments = builtInFragments(root)
  return readYamlFiles(path.join(root, folder)).map(({ name, text }) => ({
    name,
    text,
    scenario: parsed(name, text, fragments),
  }))
}

function readYamlFiles(at: string): { name: string; text: string }[] {
  return readdirSync(at)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => ({ name: file.replace(/\.yaml$/, ''), text: readFileSync(path.join(at, file), 'utf8') }))
}

function parsed(name: string, text: string, fragments: Fragments): Scenario {
  const file = `${name}.yaml`
  const read = parseScenario(text, file, fragments)
  if (read.ok) return read.value
  throw new Error(read.error.map((mistake) => mistakeText(file, mistake)).join('\n'))
}
