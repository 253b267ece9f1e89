import './fast-imports.mjs'

await import('./start.ts')
