import { TransactionMissing } from '#components/transactions/transaction-missing.tsx'

export default function TransactionNotFound() {
  return <TransactionMissing />
}
