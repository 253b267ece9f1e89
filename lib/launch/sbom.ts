import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A package as the lockfile has it, under its folder, such as `node_modules/a/node_modules/b`; the root is under ``. */
type Locked = {
  name?: string
  version?: string
  integrity?: string
  license?: string
  dev?: boolean
  optional?: boolean
  link?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}
export type Lockfile = { packages: Record<string, Locked> }

/**
 * The packages that a deployment contains as CycloneDX 1.6, from the lockfile: all but those for development alone, each with
 * what it depends on. `npm sbom` leaves some direct dependencies out (npm 11.19).
 */
export function billOfMaterials({ packages }: Lockfile, timestamp = new Date(), serial: string = randomUUID()) {
  const folders = Object.keys(packages).filter((folder) => folder !== '' && !packages[folder]?.dev)
  const root = { ref: packageUrl('', packages), ...packageIdentity('', packages) }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${serial}`,
    version: 1,
    metadata: {
      timestamp: timestamp.toISOString(),
      component: { type: 'application', 'bom-ref': root.ref, name: root.name, version: root.version },
    },
    components: unique(folders, packages).map((folder) => toComponent(folder, packages)),
    dependencies: unique(['', ...folders], packages).map((folder) => ({
      ref: packageUrl(folder, packages),
      dependsOn: listDependencies(folder, packages),
    })),
  }
}

/** One folder for each package of one version: copies of it are the same component. */
function unique(folders: readonly string[], packages: Lockfile['packages']): string[] {
  return [...new Map(folders.map((folder) => [packageUrl(folder, packages), folder])).values()]
}

function packageIdentity(folder: string, packages: Lockfile['packages']): { name: string; version: string } {
  const { name, version = '0.0.0' } = packages[folder] ?? {}
  return { name: name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length), version }
}

function packageUrl(folder: string, packages: Lockfile['packages']): string {
  const { name, version } = packageIdentity(folder, packages)
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

function toComponent(folder: string, packages: Lockfile['packages']) {
  const { integrity, license, optional } = packages[folder] ?? {}
  const { name, version } = packageIdentity(folder, packages)
  const [algorithm, digest] = integrity?.split('-') ?? []
  const purl = packageUrl(folder, packages)
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    scope: optional ? 'optional' : 'required',
    purl,
    ...(algorithm === 'sha512' && digest
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}),
    ...(license ? { licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }] } : {}),
  }
}

/** As Node resolves them: the nearest folder upwards that has the package. Peers and platforms that are not there are left out. */
function listDependencies(folder: string, packages: Lockfile['packages']): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = packages[folder] ?? {}
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  const found = names.flatMap((name) => findFolder(name, folder, packages) ?? [])
  return [...new Set(found.map((each) => packageUrl(each, packages)))].toSorted()
}

function findFolder(name: string, from: string, packages: Lockfile['packages']): string | null {
  for (let parent = from; ; parent = parent.slice(0, Math.max(0, parent.lastIndexOf('/node_modules/')))) {
    const folder = parent === '' ? `node_modules/${name}` : `${parent}/node_modules/${name}`
    if (packages[folder]) return packages[folder].dev ? null : folder
    if (parent === '') return null
  }
}

if (import.meta.main) {
  const lockfile = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lockfile
  process.stdout.write(`${JSON.stringify(billOfMaterials(lockfile), null, 2)}\n`)
}
