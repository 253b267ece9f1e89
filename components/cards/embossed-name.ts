export const longestEmbossedName = 22

// A letter may carry its accents as combining marks.
const allowed = /^(?:\p{Script=Latin}[\u0300-\u036f]{0,2}|[ -])*$/u

/** What is wrong with a name to emboss, by the rules of the interface; null where nothing is. */
export function embossedNameProblem(name: string): string | null {
  const entered = name.trim()
  if (!allowed.test(entered)) return 'Use Latin letters, spaces and hyphens only.'
  if (!/\p{Script=Latin}/u.test(entered)) return 'Enter the name for the card.'
  const length = lettersOf(entered)
  return length > longestEmbossedName ? `Use at most ${longestEmbossedName} characters; these are ${length}.` : null
}

/** How many places of the card a name takes: a letter and its accents take one. */
export function lettersOf(name: string): number {
  return [...name.trim().replaceAll(/[\u0300-\u036f]/g, '')].length
}

/** The part of an account's name that can be embossed, as the form begins with it; empty where there is none. */
export function suggestedName(name: string | null): string {
  const parts = (name ?? '').split(/\s+/).filter((part) => embossedNameProblem(part) === null)
  const suggestion = parts.join(' ').toUpperCase()
  return embossedNameProblem(suggestion) === null ? suggestion : ''
}
