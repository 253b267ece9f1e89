import { onTestFinished, vi } from 'vitest'

/** What this process writes to its standard output from here on, kept instead of shown. */
export function captureLog(): () => string {
  const written: string[] = []
  const output = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text))
    return true
  })
  onTestFinished(() => output.mockRestore())
  return () => written.join('')
}
