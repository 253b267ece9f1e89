/** Country calling codes of one and of two digits; all others have three (ITU-T E.164). */
const shortCodes = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/

/** The digits after the country code, in groups as they are read aloud, by how many they are. */
const groups: Partial<Record<number, number[]>> = {
  7: [3, 4],
  8: [4, 4],
  9: [3, 3, 3],
  10: [3, 3, 4],
  11: [3, 4, 4],
}

/** `+852 9036 8176` of `+85290368176`. A number of another form, such as a masked one, stays as it is. */
export function groupedPhone(phone: string): string {
  const [, digits = ''] = /^\+(\d{8,15})$/.exec(phone) ?? []
  const code = shortCodes.exec(digits)?.[0] ?? digits.slice(0, 3)
  const sizes = groups[digits.length - code.length]
  if (digits === '' || !sizes) return phone
  const parts: string[] = []
  let at = code.length
  for (const size of sizes) {
    parts.push(digits.slice(at, at + size))
    at += size
  }
  return `+${code} ${parts.join(' ')}`
}
