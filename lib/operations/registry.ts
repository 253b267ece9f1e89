import 'server-only'
import type { OperationSpec } from './spec.ts'

type Registry = Map<string, OperationSpec>
const name = Symbol.for('carddesk operation specs')
const store = globalThis as typeof globalThis & { [name]?: Registry }
/**
 * One in the process, where a bundler gives each entry its own copy of this module. Not a `globalSingleton`: tests forget those between
 * files, and the operation table is loaded only once.
 */
const registry = (store[name] ??= new Map())

/** Adds the server side of kinds of operations. The resources have it, and the gate knows no resource. */
export function registerOperations(specs: Readonly<Record<string, OperationSpec>>): void {
  for (const [kind, spec] of Object.entries(specs)) registry.set(kind, spec)
}

/** The server side of a kind; undefined for one that this version does not know, which a journal may hold. */
export function findSpec(kind: string): OperationSpec | undefined {
  return registry.get(kind)
}
