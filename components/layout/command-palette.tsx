'use client'

/* oxlint-disable jsx-a11y/prefer-tag-over-role -- HTML has no element for the list of a combobox */

import { clsx } from 'clsx'
import { ArrowRight, Search } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type KeyboardEvent, startTransition, useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { Dialog } from '#components/ui/dialog.tsx'
import { Spinner } from '#components/ui/spinner.tsx'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { editDistance } from '#lib/shared/edit-distance.ts'
import { type Command, type CommandSearch, type LoadCommands, useOfferedCommands } from './commands.tsx'
import { leaveBy } from './leave-warning.tsx'
import type { NavigationItem } from './side-bar.tsx'
import { type ScreenActions, useScreenCommands } from './user-menu.tsx'

const waitMs = 120
/** One letter finds too much, and one Chinese character is a whole surname. */
const isEnough = (text: string) =>
  [...text].length > 1 || /\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(text)

type Found = { query: string; results: Command[]; hasFailed: boolean; isReading: boolean }

const nothing: Found = { query: '', results: [], hasFailed: false, isReading: false }

async function find(search: CommandSearch, query: string, signal: AbortSignal): Promise<Found> {
  try {
    return { query, hasFailed: false, ...(await search(query, signal)) }
  } catch {
    return { query, results: [], hasFailed: true, isReading: false }
  }
}

/** Searches shortly after the last key. Results of another text are never shown for this one. */
function useCommandSearch(
  query: string,
  search: CommandSearch | undefined,
): Omit<Found, 'query'> & { isSearching: boolean } {
  const wanted = query.trim()
  const isWanted = search !== undefined && isEnough(wanted)
  const [found, setFound] = useState<Found>(nothing)
  useEffect(() => {
    if (!search || !isWanted) return
    const controller = new AbortController()
    const timer = setTimeout(async () => {
      const response = await find(search, wanted, controller.signal)
      if (!controller.signal.aborted) setFound(response)
    }, waitMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [wanted, isWanted, search])
  const isFound = isWanted && found.query === wanted
  return {
    results: isFound ? found.results : nothing.results,
    hasFailed: isFound && found.hasFailed,
    isReading: isFound && found.isReading,
    isSearching: isWanted && !isFound,
  }
}

/** Results besides the commands of the open page. */
export type PaletteOffers = ScreenActions & {
  pages: readonly NavigationItem[]
  tasks: readonly NavigationItem[]
  /** Loads the filtered lists, which only something typed finds. */
  loadShortcuts: LoadCommands | undefined
  search: CommandSearch | undefined
}

type PaletteProps = PaletteOffers & { isOpen: boolean; onClose: () => void }

/** Everything by typing: the pages, what can be done here, and what a search finds. */
export function CommandPalette(props: PaletteProps) {
  const inputRef = useRef<HTMLInputElement>(null)
  return (
    <Dialog
      kind="palette"
      isOpen={props.isOpen}
      onClose={props.onClose}
      title="Command palette"
      isTitleHidden
      initialFocus={inputRef}
    >
      <Palette {...props} inputRef={inputRef} />
    </Dialog>
  )
}

function toCommands(items: readonly NavigationItem[], group: string): Command[] {
  return items.map(({ href, label, icon, keywords }) => ({ id: `page-${href}`, label, icon, href, keywords, group }))
}

function Palette({
  onClose,
  pages,
  tasks,
  loadShortcuts,
  search,
  inputRef,
  ...actions
}: PaletteProps & { inputRef: React.RefObject<HTMLInputElement | null> }) {
  const router = useRouter()
  const offered = useOfferedCommands()
  const id = useId()
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const found = useCommandSearch(query, search)
  const [shortcuts, setShortcuts] = useState<readonly Command[]>([])
  useEffect(() => void loadShortcuts?.().then(setShortcuts, () => undefined), [loadShortcuts])
  const screenCommands = useScreenCommands(actions)
  const sectionsFor = (typed: string, results: readonly Command[]) => {
    const ready = [
      ...offered,
      ...toCommands(tasks, 'Create'),
      ...(typed.trim() === '' ? [] : shortcuts),
      ...toCommands(pages, 'Go to'),
      ...screenCommands,
    ]
    return groupCommands(inOrder(filterCommands(ready, typed), results, offered, typed))
  }
  // The field is painted before the list, at first and at each key.
  const isListed = useDeferredValue(true, false)
  const sections = isListed ? sectionsFor(query, found.results) : []
  const entries = sections.flatMap((section) => section.commands)
  const active = entries[Math.min(at, entries.length - 1)]

  // Focused before the opening animation, so that keys typed right after the shortcut are not lost.
  useEffect(() => inputRef.current?.focus(), [inputRef])

  const activeId = active ? `${id}-${active.id}` : undefined
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  function run(command: Command) {
    onClose()
    const { href } = command
    if (href === undefined) command.onSelect()
    else leaveBy(() => router.push(href))
  }

  function onKeyDown(event: KeyboardEvent) {
    const last = entries.length - 1
    const here = Math.min(at, last)
    const moves: Record<string, number> = {
      ArrowDown: here === last ? 0 : here + 1,
      ArrowUp: here <= 0 ? last : here - 1,
      PageDown: Math.min(last, here + 8),
      PageUp: Math.max(0, here - 8),
    }
    const to = moves[event.key]
    if (to !== undefined) {
      event.preventDefault()
      setAt(Math.max(0, to))
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      // Pressed right after a letter, it is about a list that is not there yet.
      const typed = inputRef.current?.value ?? query
      const chosen = isListed && typed === query ? active : sectionsFor(typed, [])[0]?.commands[0]
      if (!chosen) return
      event.preventDefault()
      run(chosen)
    }
  }

  return (
    <div className="flex max-h-[inherit] flex-col" data-work="none">
      <div className="flex h-12 shrink-0 items-center gap-3 border-b px-4">
        {found.isSearching ? (
          <Spinner className="text-faint" />
        ) : (
          <Search aria-hidden="true" className="size-4 shrink-0 text-faint" />
        )}
        <input
          ref={inputRef}
          role="combobox"
          aria-label="Search or jump to"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={activeId}
          autoComplete="off"
          spellCheck={false}
          placeholder="Name, phone, ID, last four or page"
          onChange={({ target: { value } }) =>
            startTransition(() => {
              setQuery(value)
              setAt(0)
            })
          }
          onKeyDown={onKeyDown}
          className="h-full min-w-0 flex-1 bg-transparent text-md outline-none"
        />
      </div>
      {query.trim() === '' && search && (
        <p className="border-b px-4 py-2 text-xs text-soft">
          Do something at once: <span className="font-medium text-ink">lock 4821</span>,{' '}
          <span className="font-medium text-ink">reveal chan</span>
        </p>
      )}
      <div id={`${id}-list`} role="listbox" aria-label="Results" className="min-h-0 overflow-y-auto p-2">
        {sections.map((section) => (
          <div key={section.group} role="group" aria-label={section.group} className="pb-1">
            <div aria-hidden="true" className="px-2.5 pt-2 pb-1 text-2xs text-faint">
              {section.group}
            </div>
            {section.commands.map((command) => (
              <div
                key={command.id}
                id={`${id}-${command.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={command === active}
                onPointerMove={() => setAt(entries.indexOf(command))}
                onClick={() => run(command)}
                onKeyDown={onKeyDown}
                className={clsx(
                  'flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-2.5 [&_svg]:size-4 [&_svg]:shrink-0',
                  command === active && 'bg-accent-wash',
                )}
              >
                <span className={command === active ? 'text-accent' : 'text-faint'}>
                  {command.icon ?? <ArrowRight />}
                </span>
                {/* Where both have no room beside each other, the hint has a line of its own. */}
                <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 py-1.5 wrap-anywhere">
                  <span className="grow">{command.label}</span>
                  {command.hint && <span className="text-xs text-faint">{command.hint}</span>}
                </span>
              </div>
            ))}
          </div>
        ))}
      </div>
      <output className={isListed && entries.length === 0 ? 'px-5 pt-2 pb-6 text-center text-soft' : 'sr-only'}>
        {formatStatus(entries.length, found, query)}
      </output>
    </div>
  )
}

function formatStatus(count: number, found: ReturnType<typeof useCommandSearch>, query: string): string {
  if (holdsCardNumber(query)) return 'This looks like a card number. It isn’t searched: use its last four digits.'
  if (found.isSearching) return 'Searching…'
  if (found.hasFailed) return 'Search isn’t responding. Pages and actions still work.'
  if (count === 0 && found.isReading) return 'No results yet. Carddesk is still reading accounts and cards.'
  return count === 0
    ? 'No results. Search by name, phone number, e-mail, last four digits, merchant, amount, or the ID of a record or request.'
    : count === 1
      ? '1 result'
      : `${count} results`
}

/**
 * Order of the list: results come before the actions of this page, unless a word of the deed is typed whole: “chan” is a name, “change pin” an action.
 */
export function inOrder(
  matching: readonly Command[],
  results: readonly Command[],
  deeds: readonly Command[],
  query: string,
): Command[] {
  if (query.trim() === '') return [...matching, ...results]
  const typed = new Set(query.toLowerCase().split(/\s+/))
  const isGuess = (command: Command) =>
    deeds.includes(command) &&
    !command.label
      .toLowerCase()
      .split(/\s+/)
      .some((word) => typed.has(word))
  return [...matching.filter((command) => !isGuess(command)), ...results, ...matching.filter(isGuess)]
}

/** Commands whose terms begin with, or hold, everything that was typed; the closest first, otherwise in their order. */
export function filterCommands(commands: readonly Command[], query: string): Command[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return [...commands]
  const found = commands
    .map((command) => ({ command, rank: rankCommand(command, wanted) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
    .map(({ command }) => command)
  return found.length > 0 ? found : commands.filter(({ label }) => isMisspelled(label, wanted))
}

/** “payuot” for “Payouts”: every word is the beginning of one of the label's, but for a letter. */
function isMisspelled(label: string, wanted: readonly string[]): boolean {
  const words = label.toLowerCase().split(/\s+/)
  return wanted.every(
    (part) => part.length > 3 && words.some((word) => editDistance(part, word.slice(0, part.length)) <= 1),
  )
}

function rankCommand(command: Command, wanted: readonly string[]): number {
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
