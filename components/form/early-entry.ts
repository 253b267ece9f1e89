import { type RefCallback, useCallback, useEffect, useRef } from 'react'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const handled = new WeakSet<Control>()

/**
 * The `ref` of a control in the server's HTML. A value entered before hydration is on the screen but not in React's
 * state: this repeats the entry after hydration, so that it counts.
 */
export function useReplayPreHydrationInput(): RefCallback<Control> {
  const enter = useRef<(() => void) | null>(null)
  useEffect(() => {
    // React runs all effects of a commit together, those of parents last. By the microtask each has subscribed to what
    // the entry changes.
    if (enter.current) queueMicrotask(enter.current)
    enter.current = null
  }, [])
  return useCallback((control) => {
    if (!control || handled.has(control)) return
    handled.add(control)
    enter.current = findEarlyEntry(control)
  }, [])
}

/** Returns how to enter once more what a control has from before hydration; null where it has nothing. */
export function findEarlyEntry(control: Control): (() => void) | null {
  if (isAsRendered(control)) return null
  const { value } = control
  return () => {
    // An effect may render the control once more, which takes the entry away; a newer entry counts already.
    if (control.isConnected && (isAsRendered(control) || control.value === value)) enterAgain(control, value)
  }
}

function isCheckbox(control: Control): control is HTMLInputElement {
  return control instanceof HTMLInputElement && control.type === 'checkbox'
}

function isAsRendered(control: Control): boolean {
  if (isCheckbox(control)) return control.checked === control.defaultChecked
  return control.value === renderedValue(control)
}

/**
 * A select of the server's HTML marks its option; one that React made later, as in a dialog, marks none and has no early entry. The
 * value of a text of several lines has no carriage returns, whatever was rendered.
 */
function renderedValue(control: Control): string {
  if (!(control instanceof HTMLSelectElement)) return control.defaultValue.replaceAll('\r\n', '\n')
  return [...control.options].find((option) => option.defaultSelected)?.value ?? control.value
}

function enterAgain(control: Control, value: string): void {
  if (isCheckbox(control)) {
    control.checked = control.defaultChecked
    control.click()
  } else if (control instanceof HTMLSelectElement) {
    control.value = value
    control.dispatchEvent(new Event('change', { bubbles: true }))
  } else {
    // React remembers the value that it knows of, and takes an entry of the same for none.
    control.value = control.defaultValue
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value)
    control.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
