/** Replaces the package `server-only` in tests, which run on the server anyway. */
export const serverOnly = true
