import { registerHooks } from 'node:module'

/**
 * Preloaded by the child processes of the suites. Outside of Next there is no request: `next/headers` is the cookies of the
 * test, and `next/navigation` has no signals to pass on.
 */
const standIns: Record<string, string> = {
  'next/headers': new URL('./next-headers.ts', import.meta.url).href,
  'next/navigation': 'data:text/javascript,export const unstable_rethrow = () => undefined',
}

registerHooks({
  resolve: (specifier, context, nextResolve) => nextResolve(standIns[specifier] ?? specifier, context),
})
