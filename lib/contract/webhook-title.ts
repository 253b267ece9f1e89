import { shortId } from '#lib/shared/ids.ts'

/**
 * The name of a webhook; where it has none, the host of its address with its shortened id, as there may be several of a host, else its
 * id. The whole address may hold a token, so it is no title.
 */
export function webhookTitle({ name, url, id }: { name: string | null; url: string | null; id: string }): string {
  return name ?? (url !== null && URL.canParse(url) ? `${new URL(url).host} (${shortId(id)})` : id)
}
