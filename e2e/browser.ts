import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const advice = 'Install Chromium, or set CHROMIUM_PATH to the program.'

/**
 * A Chromium to test with: CHROMIUM_PATH, Playwright's own, one of the system, else one that is installed now. Throws an
 * `Error` that ends in what to do when none can be had.
 */
export function findChromium(say: (line: string) => void): string {
  const chosen = process.env.CHROMIUM_PATH
  if (chosen) {
    if (isProgram(chosen)) return chosen
    throw new Error(`CHROMIUM_PATH is not a program: ${chosen}.`)
  }
  const found = findInstalled()
  if (found) return found
  const reports: string[] = []
  for (const { label, command, args } of installers()) {
    say(`Browser   none found: ${label}`)
    const { stderr } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
    const installed = findInstalled()
    if (installed) return installed
    reports.push(`${label}: ${stderr.trim()}`)
  }
  throw new Error(`${reports.join('\n')}\nThe browser tests need Chromium, and none could be installed. ${advice}`)
}

function findInstalled(): string | null {
  const own = chromium.executablePath()
  if (existsSync(own)) return own
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const candidates = names.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return candidates.find(isProgram) ?? null
}

function installers(): { label: string; command: string; args: string[] }[] {
  const playwright = path.join(import.meta.dirname, '..', 'node_modules', 'playwright', 'cli.js')
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/etc/debian_version')
  return [
    { label: 'downloading one', command: process.execPath, args: [playwright, 'install', 'chromium'] },
    ...(isDebianRoot
      ? [
          { label: 'installing the package chromium', command: 'apt-get', args: ['install', '-y', '-q', 'chromium'] },
          {
            label: 'installing the package chromium after an update of the package lists',
            command: 'sh',
            args: ['-c', 'apt-get update -q && apt-get install -y -q chromium'],
          },
        ]
      : []),
  ]
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    execFileSync(file, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
