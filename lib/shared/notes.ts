/** The longest note, in characters. */
export const longestNote = 2000
