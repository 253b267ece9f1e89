import { enableCompileCache, registerHooks } from 'node:module'
import { compiledFolder } from './compile-cache.mjs'

/* Loaded before a program, which then starts in half the time. Plain JavaScript, for which no compiler of TypeScript is loaded. */

// What a program imports is compiled already.
enableCompileCache(compiledFolder)

/** @type {Map<string, import('node:module').ResolveFnOutput>} */
const resolved = new Map()

// For each file of a package Node parses the package's description anew, and drizzle-orm's has 180 kB.
registerHooks({
  resolve(specifier, context, next) {
    const isOfPackage = context.parentURL?.includes('/node_modules/drizzle-orm/') && /^\.{1,2}\/.*\.js$/.test(specifier)
    if (isOfPackage) return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
    if (!/^drizzle-orm(?:\/|$)/.test(specifier) || !context.conditions.includes('import'))
      return next(specifier, context)
    const found = resolved.get(specifier) ?? { ...next(specifier, context), shortCircuit: true }
    resolved.set(specifier, found)
    return found
  },
})
