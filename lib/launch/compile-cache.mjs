import path from 'node:path'

/**
 * Where a start keeps what it compiled, for the next one: beside the build, where only its owner writes. Without the right to write
 * there is no cache.
 */
export const compiledFolder = path.join(import.meta.dirname, '..', '..', '.next', 'cache', 'compiled')
