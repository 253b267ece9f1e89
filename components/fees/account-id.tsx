import { shortId } from '#lib/shared/ids.ts'

/** Distinguishes an account from another one of the same name: its external ID, else its own, shortened. */
export function accountIdText({ id, xid }: { id: string; xid: string | null | undefined }): string {
  return xid || shortId(id)
}

/** The account ID in a quieter tone, beside or below the account's name. */
export function AccountId({ id, xid }: { id: string; xid: string | null | undefined }) {
  return (
    <span
      title={xid ? `${xid} · ${id}` : id}
      className={`text-2xs text-faint ${xid ? 'inline-block max-w-36 sm:max-w-60 truncate align-bottom leading-[inherit]' : 'font-mono whitespace-nowrap'}`}
    >
      {accountIdText({ id, xid })}
    </span>
  )
}
