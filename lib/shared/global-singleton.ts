/**
 * A value of the process, made when it is first needed. There is one, also where a bundler loads the module twice. `name` is its
 * property of `globalThis`, by which tests replace and forget it.
 */
export function globalSingleton<Value>(name: `carddesk${string}`, make: () => Value): () => Value {
  const store = globalThis as unknown as Record<string, Value | undefined>
  return () => (store[name] ??= make())
}
