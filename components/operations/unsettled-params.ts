/** Payouts that were sent and are not settled, for the pages that name them. */
export const unsettledPayouts = { kind: 'payout.submit', pageSize: '5' }
