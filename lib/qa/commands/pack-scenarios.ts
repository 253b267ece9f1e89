import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { root } from '#lib/launch/build.ts'
import { runCommand } from '#lib/launch/run-command.ts'

/**
 * `npm run pack:scenarios -- FOLDER`: the scenario runner as a package that needs neither this repository nor a registry. Its
 * JavaScript is what `tsc` makes of the runner's files, each beside the others as here; docs/decisions/scenario-package.md says why.
 */

const run = promisify(execFile)
const entry = 'lib/qa/commands/scenario-package.ts'

type Package = { version: string; license: string; dependencies: Record<string, string> }

/** Makes `carddesk-scenarios-<version>.tgz` in a folder and returns its path. Throws where `tsc` or `npm` fails. */
async function packScenarios(folder: string): Promise<string> {
  const made = mkdtempSync(path.join(tmpdir(), 'carddesk-pack-'))
  try {
    await writeJavaScript(made)
    const { version, license, dependencies } = JSON.parse(
      readFileSync(path.join(root, 'package.json'), 'utf8'),
    ) as Package
    const packages = packagesIn(made)
    for (const name of packages) copyPackage(name, made)
    cpSync(path.join(root, 'lib/qa/scenarios/built-in'), path.join(made, 'lib/qa/scenarios/built-in'), {
      recursive: true,
    })
    cpSync(path.join(root, 'docs/carddesk.scenario.schema.json'), path.join(made, 'carddesk.scenario.schema.json'))
    cpSync(path.join(root, 'docs/scenarios.md'), path.join(made, 'README.md'))
    const description = {
      name: 'carddesk-scenarios',
      version,
      description: 'Runs YAML scenarios against a card issuing and payout service or its sandbox.',
      license,
      type: 'module',
      bin: { 'carddesk-scenarios': entry.replace(/ts$/, 'js') },
      imports: { '#lib/*.ts': './lib/*.js' },
      engines: { node: '>=20.18.1' },
      dependencies: Object.fromEntries(packages.map((name) => [name, findVersion(name, dependencies)])),
      bundleDependencies: packages,
    }
    writeFileSync(path.join(made, 'package.json'), JSON.stringify(description, null, 2))
    mkdirSync(folder, { recursive: true })
    const { npm_execpath: npm } = process.env
    const [program, script] = npm ? [process.execPath, [npm]] : ['npm', []]
    const { stdout } = await run(program, [...script, 'pack', made, '--json', '--pack-destination', folder])
    const [packed] = JSON.parse(stdout) as { filename: string }[]
    if (!packed) throw new Error('npm packed nothing.')
    return path.join(folder, packed.filename)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

async function writeJavaScript(outDir: string): Promise<void> {
  const options = {
    ignoreConfig: true,
    // `npm run types` checks them; here, `#lib/….ts` would be refused, which `imports` of the package leads to its file.
    noCheck: true,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: true,
    verbatimModuleSyntax: true,
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    types: 'node',
    rootDir: root,
    outDir,
  }
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  await run(process.execPath, [tsc, ...given, entry], { cwd: root })
  for (const file of listJavaScript(outDir)) {
    const text = readFileSync(file, 'utf8')
    // Next's mark for what no browser may get, which throws elsewhere.
    if (text.includes(serverOnly)) writeFileSync(file, text.replace(serverOnly, ''))
  }
}

const serverOnly = "import 'server-only';\n"

function listJavaScript(folder: string): string[] {
  return globSync('lib/**/*.js', { cwd: folder }).map((file) => path.join(folder, file))
}

/** The packages that the JavaScript imports. */
function packagesIn(folder: string): string[] {
  const imported = listJavaScript(folder).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?:[^'"]* from )?['"]([^'"#.][^'"]*)['"]/gm)].map(
      ([, name = '']) => name,
    ),
  )
  return [...new Set(imported)].filter((name) => !isBuiltin(name)).sort()
}

function findVersion(name: string, dependencies: Package['dependencies']): string {
  const version = dependencies[name]
  if (version === undefined) throw new Error(`${name} is imported by the scenario runner, but is no dependency.`)
  return version
}

/** Copies what runs of a package. One that has dependencies of its own is refused: they would be missing. */
function copyPackage(name: string, into: string): void {
  const from = path.join(root, 'node_modules', name)
  const { dependencies = {} } = JSON.parse(readFileSync(path.join(from, 'package.json'), 'utf8')) as Partial<Package>
  if (Object.keys(dependencies).length > 0)
    throw new Error(`${name} has dependencies of its own, which the package of the scenario runner would lack.`)
  const isNeeded = (file: string) => !/\.(?:map|d\.[cm]?ts)$|^src(?:\/|$)/.test(path.relative(from, file))
  cpSync(from, path.join(into, 'node_modules', name), { recursive: true, filter: isNeeded })
}

const usage = `Usage: npm run pack:scenarios -- FOLDER

Makes carddesk-scenarios-VERSION.tgz in the folder, which is made where it is missing, and prints its path.`

async function pack(args: string[]): Promise<number> {
  const [folder, ...others] = parseArgs({ args, allowPositionals: true }).positionals
  if (folder === undefined || others.length > 0) throw new Error(usage)
  console.log(await packScenarios(path.resolve(folder)))
  return 0
}

await runCommand(pack, { usage })
