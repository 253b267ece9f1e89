import { useEffect } from 'react'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const formSelector = 'form, [role="dialog"], [role="alertdialog"]'

/** Each control that somebody entered something into, in the order of the entries. */
const entered = new Set<Control>()
/** Value of each field at its first focus. */
const before = new WeakMap<Control, string>()
/** Fields of a page whose form was sent since. */
const sent = new WeakSet<Control>()
/** What leaving the page costs: what is left, such as “this payout”, and what that means, where it isn't that the entries are lost. */
export type Work = { what: string; meaning?: string | undefined }
/** Pages that know by themselves what would be lost. */
const claims = new Map<symbol, Work>()
let isUnloadAllowed = false

/**
 * Follows what a person types into forms and dialogs, until `signal` aborts. Filters and the palette hold no work: they stand in
 * no form. A form says by `data-work` what leaving it costs: `kept` where only a reload loses it, `none` where nothing is lost; so
 * does a field that has nothing to lose.
 */
export function followTypedWork(signal: AbortSignal): void {
  const options = { capture: true, passive: true, signal }
  document.addEventListener(
    'focusin',
    ({ target }) => {
      if (isControl(target) && !before.has(target)) before.set(target, target.value)
    },
    options,
  )
  document.addEventListener(
    'input',
    ({ target }) => {
      for (const control of entered) if (!control.isConnected) entered.delete(control)
      if (isControl(target)) countAsEntered(target)
    },
    options,
  )
  document.addEventListener(
    'submit',
    ({ target }) => {
      if (!(target instanceof HTMLFormElement) || target.closest('[role="dialog"], [role="alertdialog"]')) return
      for (const control of entered) if (control.form === target) sent.add(control)
    },
    options,
  )
}

/** For an entry that the page puts into the field itself, such as the text of a dropped file. */
export function countAsEntered(control: Control): void {
  entered.add(control)
  sent.delete(control)
}

/** The forms and dialogs that hold an entry of any kind. */
export function formsWithEntries(): Element[] {
  return [...entered].filter((control) => control.isConnected && holdsEntry(control)).flatMap(findForm)
}

/** True where a text was typed or a file chosen in this part of the page, and is lost when it closes. */
export function holdsTypedWork(region: Element | null): boolean {
  return (
    region !== null && [...entered].some((control) => region.contains(control) && isWork(control, ['kept', 'none']))
  )
}

/** Names what is lost when the page is left; null where nothing is. `isUnload`: by a reload or for another site. */
export function typedWorkOfPage(isUnload: boolean): Work | null {
  if (isUnload && isUnloadAllowed) return null
  const [claimed] = claims.values()
  if (claimed !== undefined) return claimed
  const free = isUnload ? ['none'] : ['kept', 'none']
  return [...entered].some((control) => findForm(control).length > 0 && isWork(control, free))
    ? { what: 'this page' }
    : null
}

/** Claims work for a page that knows better than its fields; `what` is null while it has none. */
export function useTypedWork(what: string | null, meaning?: string): void {
  useEffect(() => {
    if (what === null) return
    const claim = Symbol(what)
    claims.set(claim, { what, meaning })
    return () => void claims.delete(claim)
  }, [what, meaning])
}

/** The document has to go, as another person is signed in, or its person gave the entries up: nothing holds it any more. */
export function allowUnload(): void {
  isUnloadAllowed = true
}

export function isControl(target: EventTarget | null): target is Control {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  )
}

function findForm(control: Control): Element[] {
  const form = control.closest(control.getAttribute('role') === 'combobox' ? 'form' : formSelector)
  return form ? [form] : []
}

function isChoice(control: Control): boolean {
  return control instanceof HTMLSelectElement || /^(?:checkbox|radio|file)$/.test(control.type)
}

function holdsEntry(control: Control): boolean {
  return isChoice(control) || control.value.trim() !== ''
}

/** A choice is made again with one press, and a secret is not kept: texts and files are work. */
function isWork(control: Control, free: readonly string[]): boolean {
  if (!control.isConnected || sent.has(control) || control.closest('[hidden]')) return false
  if (free.includes(control.closest('[data-work]')?.getAttribute('data-work') ?? '')) return false
  if (control instanceof HTMLSelectElement) return false
  if (control instanceof HTMLInputElement && control.type === 'file') return (control.files?.length ?? 0) > 0
  return !isChoice(control) && control.type !== 'password' && isNewText(control)
}

function isNewText(control: Control): boolean {
  return control.value.trim() !== '' && control.value !== (before.get(control) ?? '')
}
