/** A link within a text or a list of facts. */
export const quietLink = 'rounded-chip underline decoration-line underline-offset-2 hover:decoration-current'
