import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright'

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'chromium-headless-shell',
]

/** Debian's packages, by the names of their programs. */
type Package = 'chromium' | 'chromium-headless-shell'

interface Installer {
  readonly label: string
  readonly command: string
  readonly args: string[]
}

const advice = 'Install Chromium, or set CHROMIUM_PATH to the program.'

/**
 * A Chromium to test with: CHROMIUM_PATH, Playwright's own, one of the system, else one that is installed now. Where the
 * system has several, `preferred` decides: the headless shell takes a quarter less of the processor than the whole browser.
 * Throws an `Error` that ends in what to do when none can be had.
 */
export function findChromium(say: (line: string) => void, preferred: Package = 'chromium'): string {
  const chosen = process.env.CHROMIUM_PATH
  if (chosen) {
    if (isProgram(chosen)) return chosen
    throw new Error(`CHROMIUM_PATH is not a program: ${chosen}.`)
  }
  const found = findInstalled(preferred)
  if (found) return found
  const reports: string[] = []
  for (const { label, command, args } of installers(preferred)) {
    say(`Browser   none found: ${label}`)
    const { stderr } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
    const installed = findInstalled(preferred)
    if (installed) return installed
    reports.push(`${label}: ${stderr.trim()}`)
  }
  throw new Error(`${reports.join('\n')}\nThe browser tests need Chromium, and none could be installed. ${advice}`)
}

function findInstalled(preferred: Package): string | null {
  const own = chromium.executablePath()
  if (existsSync(own)) return own
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const candidates = [preferred, ...names].flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return candidates.find(isProgram) ?? null
}

function installers(preferred: Package): Installer[] {
  const playwright = path.join(import.meta.dirname, '..', 'node_modules', 'playwright', 'cli.js')
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/etc/debian_version')
  return [
    { label: 'downloading one', command: process.execPath, args: [playwright, 'install', 'chromium'] },
    ...(isDebianRoot ? debianInstallers(preferred) : []),
  ]
}

/** The second one updates the package lists first. */
function debianInstallers(name: Package): Installer[] {
  return [
    { label: `installing the package ${name}`, command: 'apt-get', args: ['install', '-y', '-q', name] },
    {
      label: `installing the package ${name} after an update of the package lists`,
      command: 'sh',
      args: ['-c', `apt-get update -q && apt-get install -y -q ${name}`],
    },
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
