/** The name of a webhook, the host of its address where it has none, else its id. An address may hold a token, so it is no title. */
export function webhookTitle({ name, url, id }: { name: string | null; url: string | null; id: string }): string {
  return name ?? (url !== null && URL.canParse(url) ? new URL(url).host : id)
}
