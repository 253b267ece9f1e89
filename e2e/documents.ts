/** A picture of one pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A picture of so many bytes, as a file field takes it. */
export function documentFile(name: string, bytes: number) {
  return { name, mimeType: 'image/png', buffer: Buffer.concat([png, Buffer.alloc(Math.max(0, bytes - png.length))]) }
}
