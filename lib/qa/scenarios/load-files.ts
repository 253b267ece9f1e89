import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { parseDocument } from 'yaml'
import { isFields } from '#lib/shared/json.ts'
import { fail, type Result } from '#lib/shared/result.ts'
import { isOwnFragment } from './check-references.ts'
import { mistakeText, parseScenario } from './parse.ts'
import type { Fragments, Scenario } from './schema.ts'

const isYaml = (file: string) => /\.ya?ml$/.test(file)

/** The fragments of its own that a file uses, each once; none for a file that can't be read, whose mistakes are reported when it is parsed. */
function usedIn(text: string): string[] {
  const document = parseDocument(text, { prettyErrors: false })
  if (document.errors.length > 0) return []
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isFields(value)) return
    if (typeof value.use === 'string') found.push(value.use)
    Object.values(value).forEach(visit)
  }
  try {
    visit(document.toJS({ maxAliasCount: 50 }))
  } catch {
    return []
  }
  return [...new Set(found.filter(isOwnFragment))]
}

/** Reads a scenario file and the fragments of its own that it uses. Otherwise every mistake as a line, of the fragments too. */
export function loadScenarioFile(
  file: string,
  builtIn: Fragments,
  above: readonly string[] = [],
): Result<Scenario, string[]> {
  const text = readFileSync(file, 'utf8')
  const fragments = new Map(builtIn)
  const mistakes: string[] = []
  for (const name of usedIn(text)) {
    const used = path.join(path.dirname(file), name)
    const files = [...above, file]
    if (files.includes(used)) {
      mistakes.push(`${file}: it uses itself: ${[...files, used].join(' → ')}.`)
    } else if (existsSync(used) && statSync(used).isFile()) {
      const read = loadScenarioFile(used, builtIn, files)
      if (read.ok) fragments.set(name, read.value)
      else mistakes.push(...read.error)
    }
  }
  if (mistakes.length > 0) return fail(mistakes)
  const read = parseScenario(text, file, fragments)
  return read.ok ? read : fail(read.error.map((mistake) => mistakeText(file, mistake)))
}

/**
 * The scenario files of a folder and of those in it, by name: without the folders `fragments`, and without files that another
 * one of them uses.
 */
export function scenarioFilesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => isYaml(file) && !file.split(path.sep).slice(0, -1).includes('fragments'))
    .map((file) => path.join(folder, file))
    .sort()
  const used = new Set(
    files.flatMap((file) => usedIn(readFileSync(file, 'utf8')).map((name) => path.join(path.dirname(file), name))),
  )
  return files.filter((file) => !used.has(file))
}
