/** ITU-T E.164 as text: `+`, a country code that does not begin with 0, 15 digits at most. Decision: 7 digits at least. */
export const e164Pattern = /^\+[1-9]\d{6,14}$/
