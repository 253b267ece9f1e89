/** `late-payment-fee` → "Late payment fee": the one name of a kind of fee. The set is open. */
export function feeIntentTitle(intent: string): string {
  const labels = intent
    .replaceAll(/[-_\s]+/g, ' ')
    .replace(/\batm\b/, 'ATM')
    .trim()
  return labels === '' ? intent : `${labels.charAt(0).toUpperCase()}${labels.slice(1)}`
}
