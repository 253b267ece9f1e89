/** The label of each action's button, and of the button that confirms it. */
export const cardActionTable: Record<string, string> = {
  Lock: 'Lock card',
  Unlock: 'Unlock card',
  Suspend: 'Suspend card',
  Unsuspend: 'Unsuspend card',
  Activate: 'Activate card',
  'Change PIN': 'Change PIN',
  'Cancel card': 'Cancel card',
}
