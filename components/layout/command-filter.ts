import type { Command } from './command.ts'

/** Commands whose terms begin with, or hold, everything that was typed; the closest first, otherwise in their order. */
export function filterCommands(commands: readonly Command[], query: string): Command[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return [...commands]
  return commands
    .map((command) => ({ command, rank: rankOf(command, wanted) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
    .map(({ command }) => command)
}

function rankOf(command: Command, wanted: readonly string[]): number {
  const label = command.label.toLowerCase()
  const text = `${label} ${command.group} ${command.hint ?? ''} ${command.keywords ?? ''}`.toLowerCase()
  const terms = text.split(/[\s·,/-]+/)
  if (!wanted.every((part) => text.includes(part))) return 0
  if (label.startsWith(wanted.join(' '))) return 3
  return wanted.every((part) => terms.some((term) => term.startsWith(part))) ? 2 : 1
}

type CommandSection = { group: string; commands: Command[] }

/** Sections in the order in which their first command comes. */
export function groupCommands(commands: readonly Command[]): CommandSection[] {
  const sections = new Map<string, Command[]>()
  for (const command of commands) {
    const section = sections.get(command.group)
    if (section) section.push(command)
    else sections.set(command.group, [command])
  }
  return [...sections].map(([group, members]) => ({ group, commands: members }))
}
