/** Writes a whole number with its thousands grouped: `12,480`. */
export const count = new Intl.NumberFormat('en-HK')
