import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { billOfMaterials, type Lockfile } from './sbom.ts'

const lockfile = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lockfile
const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
  'dependencies' | 'devDependencies',
  Record<string, string>
>
const bill = billOfMaterials(lockfile)

test('the bill of materials is CycloneDX and names every direct dependency in its version', () => {
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 })
  expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f-]{36}$/)
  expect(bill.metadata.component).toMatchObject({ type: 'application', name: 'carddesk' })
  const listed = bill.components.map(({ name, version }) => `${name}@${version}`)
  const direct = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`)
  expect(direct.filter((each) => !listed.includes(each))).toEqual([])
  const [root] = bill.dependencies
  expect(root?.dependsOn).toHaveLength(direct.length)
})

test('each component has its package URL, digest and licence once, and depends on components of the bill', () => {
  const references = bill.components.map((component) => component['bom-ref'])
  expect(new Set(references).size).toBe(references.length)
  for (const component of bill.components) {
    expect(component, component.name).toMatchObject({
      purl: `pkg:npm/${component.name.replace('@', '%40')}@${component.version}`,
      // The lockfile has no digest of packages for other platforms.
      ...(component.scope === 'required' && {
        hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
      }),
      licenses: [expect.anything()],
    })
  }
  const unknown = bill.dependencies.flatMap(({ dependsOn }) => dependsOn.filter((each) => !references.includes(each)))
  expect(unknown).toEqual([])
})

test('what only development needs is left out', () => {
  const names = bill.components.map(({ name }) => name)
  const tools = Object.keys(devDependencies).filter((name) => lockfile.packages[`node_modules/${name}`]?.dev)
  expect(tools).toContain('vitest')
  expect(tools.filter((name) => names.includes(name))).toEqual([])
})

test('a dependency is the copy that Node resolves', () => {
  const { dependencies: found } = billOfMaterials({
    packages: {
      '': { name: 'desk', version: '1.0.0', dependencies: { a: '1', b: '2' } },
      'node_modules/a': { version: '1.0.0', dependencies: { b: '1' }, peerDependencies: { gone: '1' } },
      'node_modules/a/node_modules/b': { version: '1.0.0' },
      'node_modules/b': { version: '2.0.0' },
      'node_modules/tool': { version: '1.0.0', dev: true },
    },
  })
  expect(found).toEqual([
    { ref: 'pkg:npm/desk@1.0.0', dependsOn: ['pkg:npm/a@1.0.0', 'pkg:npm/b@2.0.0'] },
    { ref: 'pkg:npm/a@1.0.0', dependsOn: ['pkg:npm/b@1.0.0'] },
    { ref: 'pkg:npm/b@1.0.0', dependsOn: [] },
    { ref: 'pkg:npm/b@2.0.0', dependsOn: [] },
  ])
})
