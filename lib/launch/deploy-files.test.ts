import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DCLinter } from 'dclint'
import { validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import manifest from '../../package.json' with { type: 'json' }

const folder = path.join(import.meta.dirname, '..', '..', 'docs', 'deploy')
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8')

/** Runs `work` on a file of this content in a folder of its own. */
function onFile<Value>(name: string, text: string, work: (file: string) => Value): Value {
  const place = mkdtempSync(path.join(tmpdir(), 'carddesk-lint-'))
  try {
    const file = path.join(place, name)
    writeFileSync(file, text)
    return work(file)
  } finally {
    rmSync(place, { recursive: true })
  }
}

function composeProblems(text: string): string[] {
  const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] })
  const results = onFile('compose.yaml', text, (file) => linter.lintFiles([file], false))
  return results.flatMap(({ messages }) => messages.map(({ rule, line }) => `${line} ${rule}`))
}

test('the compose file is of the schema and follows the rules of its linter', () => {
  const text = read('compose.yaml')
  expect(composeProblems(text)).toEqual([])
  expect(composeProblems(text.replace('env_file:', 'environment_file:'))).not.toEqual([])
  expect(composeProblems(text.replace('postgres:18', 'postgres'))).not.toEqual([])
})

test('the sandbox’s compose file follows them too, and its image holds as little as the console’s', () => {
  expect(composeProblems(read('sandbox.compose.yaml'))).toEqual([])
  expect(read('sandbox.Dockerfile.dockerignore')).toBe(read('Dockerfile.dockerignore'))
  for (const name of ['github', 'gitlab']) expect(parse(read(`sandbox.${name}.yaml`))).toBeTypeOf('object')
})

/** What the Dockerfile does not do as it should. */
function imageProblems(text: string): string[] {
  const mistakes = validate(text).map(({ message }) => String(message))
  const final = text.slice(text.lastIndexOf('\nFROM '))
  const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)
  if (bases.some((image) => image !== `node:${manifest.dependencies.node}-bookworm-slim`))
    mistakes.push('the base is not the Node of package.json')
  if (/^USER (\S+)$/m.exec(final)?.[1] !== 'node') mistakes.push('it runs as root')
  if (!/^HEALTHCHECK /m.test(final)) mistakes.push('no health check')
  if (!/^CMD \["node", "lib\/launch\/start\.mjs"(?:, "--sandbox")?\]$/m.test(final))
    mistakes.push('signals do not reach the server')
  if (/\b(ADD|sudo|:latest)\b/.test(text)) mistakes.push('it adds what is not pinned')
  return mistakes
}

test.each(['Dockerfile', 'sandbox.Dockerfile'])('%s is valid, pinned, healthy, and runs as no root', (name) => {
  const text = read(name)
  expect(imageProblems(text)).toEqual([])
  for (const [from, to] of [
    ['USER node', ''],
    ['WORKDIR', 'WORKDIRECTORY'],
    [`node:${manifest.dependencies.node}-bookworm-slim\n`, 'node:latest\n'],
    ['HEALTHCHECK', '# HEALTHCHECK'],
  ] as const)
    expect(imageProblems(text.replace(from, to)), from).not.toEqual([])
})

const root = path.join(folder, '..', '..')
const listFiles = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', '-z', '--', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean)

/** The files of the project that an installation has without these, which import one of these. */
function importsOf(removed: ReadonlySet<string>): string[] {
  return listFiles('*.ts', '*.tsx', '*.mjs').flatMap((file) => {
    if (removed.has(file)) return []
    const imported = [...readFileSync(path.join(root, file), 'utf8').matchAll(/(?:from|import\(?) ?'([#.][^']+)'/g)]
    const paths = imported.map(([, name = '']) =>
      name.startsWith('#') ? name.slice(1) : path.posix.join(path.posix.dirname(file), name),
    )
    return paths.some((name) => removed.has(name)) ? [file] : []
  })
}

test.each(['docs/deploy/carddesk.env', 'docs/deploy/postgres-password', '.env', '.env.local'])(
  'the secrets in %s get into no image and no commit',
  (file) => {
    const ignored = read('Dockerfile.dockerignore').trim().split('\n')
    expect(ignored.some((pattern) => path.matchesGlob(file, pattern) || file.startsWith(`${pattern}/`))).toBe(true)
    const { stdout } = spawnSync('git', ['check-ignore', '--no-index', file], { encoding: 'utf8' })
    expect(stdout.trim()).toBe(file)
  },
)

test('neither the image nor the installation with systemd holds a test, and nothing of them imports one', () => {
  const ignored = read('Dockerfile.dockerignore').trim().split('\n')
  const [, patterns = ''] =
    /^git rm -rq (.+?) +#/m.exec(readFileSync(path.join(folder, '..', 'deploy.md'), 'utf8')) ?? []
  const isIgnored = (file: string) =>
    ignored.some((pattern) => path.matchesGlob(file, pattern) || path.matchesGlob(file, `${pattern}/**`))
  const removals = [listFiles().filter(isIgnored), listFiles(...patterns.replaceAll("'", '').split(' '))]
  for (const removed of removals) {
    expect(
      listFiles().filter((file) => /^e2e\/|\.test\.tsx?$|\btesting\b/.test(file) && !removed.includes(file)),
    ).toEqual([])
    expect(removed.filter((file) => /^(app|components|public)\/(?!.*\.test\.)/.test(file))).toEqual([])
    expect(importsOf(new Set(removed))).toEqual([])
  }
  expect(importsOf(new Set(['lib/shared/time.ts']))).not.toEqual([])
})

test('the unit starts the server itself, as its own user, and may write its data alone', () => {
  const unit = read('carddesk.service')
  expect(unit).toMatch(/^User=carddesk$/m)
  expect(unit).toMatch(/^ExecStart=\/opt\/carddesk\/node_modules\/\.bin\/node lib\/launch\/start\.mjs$/m)
  expect(unit).toMatch(/^ProtectSystem=strict$/m)
  expect(unit).toMatch(/^StateDirectory=carddesk$/m)
  expect(unit).toMatch(/^NoNewPrivileges=yes$/m)
})

const analyze = '/usr/bin/systemd-analyze'

test.skipIf(!existsSync(analyze))('systemd knows every directive of the unit and rates its exposure as low', () => {
  const unit = read('carddesk.service').replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true')
  // It warns of what it does not know, and succeeds.
  const problemsOf = (text: string) =>
    onFile('carddesk.service', text, (file) => spawnSync(analyze, ['verify', file], { encoding: 'utf8' }).stderr)
  expect(problemsOf(unit)).toBe('')
  expect(problemsOf(unit.replace('ProtectSystem', 'ProtectSystems'))).toContain('ProtectSystems')
  const security = onFile('carddesk.service', unit, (file) =>
    execFileSync(analyze, ['security', '--offline=true', '--threshold=25', file], { stdio: 'pipe' }).toString(),
  )
  expect(security).toContain('Overall exposure level')
})
