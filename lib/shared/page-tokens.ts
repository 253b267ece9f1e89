export type PageTokens = { prevPageToken: string | null; nextPageToken: string | null }
