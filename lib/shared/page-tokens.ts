export type PageTokens = { prevPageToken: string | null; nextPageToken: string | null }

/** The positions of a page's first and last row among those that match, from 1; both are 0 where it is empty. */
export type PagePosition = { first: number; last: number }
