import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..', '..')

/** Each retired word with the field's term for it. CONTRIBUTING.md has the vocabulary. */
const retired: Record<string, string> = {
  answer: 'response',
  answered: 'responded',
  answers: 'responses',
  anew: 'again',
  announce: 'publish',
  announced: 'published',
  asked: 'requested',
  bears: 'has',
  begun: 'started',
  bell: 'signal',
  flaw: 'issue',
  flaws: 'issues',
  kept: 'stored',
  patience: 'timeout',
  refusal: 'error',
  refusals: 'errors',
  seen: 'read',
  shelf: 'cache',
  stands: 'is',
  stood: 'was',
  told: 'reported',
  truth: 'record',
  walked: 'fetched',
  whoever: 'a noun',
}

/** Column names of the databases that carry such a word. */
const columns = /\b(answer|last_answer_at|asked_at|first_seen_at|kept_until|rate_samples_kept_until|seen_at)\b/g
const withColumns = /\/(tables|steps)\/|\/rates\/sample\.ts$/

/** The retired words of a text, in identifiers, comments and strings. */
function retiredWords(text: string): string[] {
  return text.split('\n').flatMap((line, index) =>
    (line.match(/[A-Za-z]+/g) ?? [])
      .flatMap((name) =>
        name
          .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
          .toLowerCase()
          .split(' '),
      )
      .filter((word) => Object.hasOwn(retired, word))
      .map((word) => `${index + 1}: ${word} (${retired[word]})`),
  )
}

test('production code uses the field’s terms', () => {
  const files = globSync('{app,components,lib}/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !/\.test\.|testing|next-env/.test(file),
  )
  const found = files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8')
    return retiredWords(withColumns.test(file) ? text.replaceAll(columns, '') : text).map((word) => `${file}:${word}`)
  })
  expect(files.length).toBeGreaterThan(500)
  expect(found).toEqual([])
})

test('test titles and docs use the field’s terms', () => {
  const titles = globSync('{app,components,lib,e2e}/**/*.{test,spec}.{ts,tsx}', { cwd: root }).flatMap((file) =>
    Array.from(
      readFileSync(path.join(root, file), 'utf8').matchAll(
        /^\s*(?:test|describe)(?:\.\w+\([^\n]*\))?\(\s*(['`])(.*)\1/gm,
      ),
      ([, , title = '']) => ({ file, text: title.replaceAll(/\$\{[^}]*\}/g, '') }),
    ),
  )
  const docs = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).map((file) => ({
    file,
    // Code and names of columns are no prose.
    text: readFileSync(path.join(root, file), 'utf8').replaceAll(/```[\s\S]*?```|`[^`]*`/g, ''),
  }))
  expect(titles.length).toBeGreaterThan(1000)
  expect(docs.length).toBeGreaterThan(20)
  const found = [...titles, ...docs].flatMap(({ file, text }) => retiredWords(text).map((word) => `${file}:${word}`))
  expect(found).toEqual([])
})

test('a retired word is found in a name, a comment and a sentence', () => {
  expect(retiredWords('const askedAt = 1\n// What stands here\n"Nobody answered"')).toEqual([
    '1: asked (requested)',
    '2: stands (is)',
    '3: answered (responded)',
  ])
})
