type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** By then the effects of the hydration have run. */
const settleMs = 50

const handled = new WeakSet<Control>()

/**
 * The `ref` of a control of the server's HTML. What was typed or chosen in it before hydration is on the screen, but not in
 * React's state: this enters it again, as the person did, so that it counts.
 */
export function keepEarlyEntry(control: Control | null): void {
  if (!control || handled.has(control)) return
  handled.add(control)
  if (isAsRendered(control)) return
  const { value } = control
  // An effect may subscribe to what the entry changes, or render the control once more, which takes the entry away.
  setTimeout(() => {
    if (control.isConnected && (isAsRendered(control) || control.value === value)) enterAgain(control, value)
  }, settleMs)
}

function isCheckbox(control: Control): control is HTMLInputElement {
  return control instanceof HTMLInputElement && control.type === 'checkbox'
}

function isAsRendered(control: Control): boolean {
  if (isCheckbox(control)) return control.checked === control.defaultChecked
  return control.value === renderedValue(control)
}

/** A select of the server's HTML marks its option; one that React made later, as in a dialog, marks none and has no early entry. */
function renderedValue(control: Control): string {
  if (!(control instanceof HTMLSelectElement)) return control.defaultValue
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
