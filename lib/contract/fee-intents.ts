/** `late-payment-fee` → "Late payment fee": the one name of a kind of fee. The set is open. */
export function feeIntentTitle(intent: string): string {
  const words = intent
    .replaceAll(/[-_\s]+/g, ' ')
    .replace(/\batm\b/, 'ATM')
    .trim()
  return words === '' ? intent : `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
