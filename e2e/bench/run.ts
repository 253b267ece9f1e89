import { makeBuild } from '#lib/launch/build.ts'
import { openDesk } from './desk.ts'
import { printTable } from './figure.ts'
import { parts } from './parts.ts'

/** `npm run bench`, or a part of it: `npm run bench -- signing`, `npm run bench -- scale --accounts=5000`. It shows; it does not judge, since machines are noisy. */
const [options, chosen] = [true, false].map((isOption) =>
  process.argv.slice(2).filter((text) => text.startsWith('--') === isOption),
) as [string[], string[]]
const accounts = options.map((text) => Number(/^--accounts=(\d+)$/.exec(text)?.[1]))
const unknown = [...chosen.filter((name) => !(name in parts)), ...options.filter((_, at) => !accounts[at])]
if (unknown.length > 0) {
  console.error(
    `There is no bench ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}, and --accounts=NUMBER for scale.`,
  )
  process.exit(1)
}

await makeBuild(console.log, { isServer: false })
// Beside the other parts, the part `scale` has to fit into 15 minutes.
const size = accounts[0] ?? (chosen.length === 0 ? 5000 : undefined)
for (const [name, measure] of Object.entries(parts)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  console.log(`Measuring ${name}`)
  const began = performance.now()
  const desk = openDesk('whole', size)
  try {
    printTable(await measure(desk))
  } finally {
    await desk.close()
  }
  console.log(`  in ${Math.round((performance.now() - began) / 1000)} s\n`)
}
