import { useEnvironment } from '#components/environment/use-environment.ts'
import { TextLink } from '#components/ui/text-link.tsx'
import { shortId } from '#lib/shared/ids.ts'
import { routes } from '#lib/shared/routes.ts'

/** The account of a row, by its name. */
export function AccountLink({
  row: { cardAccountId, accountName },
}: {
  row: { cardAccountId: string; accountName: string | null }
}) {
  const environment = useEnvironment()
  return (
    <TextLink href={routes.cardAccount(environment, cardAccountId)}>
      <bdi className="wrap-anywhere">{accountName ?? shortId(cardAccountId)}</bdi>
    </TextLink>
  )
}
