export type CheckReport = { checkedAt: string }
