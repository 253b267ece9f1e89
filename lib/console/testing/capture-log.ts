import { onTestFinished, vi } from 'vitest'

/** Captures what this process writes to its standard output instead of showing it. */
export function captureLog(): () => string {
  const written: string[] = []
  const output = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text))
    return true
  })
  onTestFinished(() => output.mockRestore())
  return () => written.join('')
}
