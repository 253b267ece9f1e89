import type { EmbedType } from './embed-objects.ts'
import type { Environment } from './routes.ts'

type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad' | 'info'
type Amount = { amount: string; currency: string }

/** What `public/embed-view.js` draws: texts, ready to be shown. It knows no resource. */
export type EmbedView = {
  environment: Environment
  type: EmbedType
  /** What the object is: "Card". */
  kind: string
  title: string
  subtitle: string
  status: { label: string; tone: Tone; help: string }
  /** What support should notice first. */
  notes: { tone: Tone; text: string }[]
  figures: (Amount & { label: string; tone: Tone })[]
  facts: { label: string; value: string; isCode?: boolean }[]
  list: { title: string; empty: string; rows: EmbedRow[] } | null
  /** The page of the object in the console. */
  href: string
  /** When the data was fetched: "14:42:08 HKT". */
  updatedAt: string
}

export type EmbedRow = {
  title: string
  detail: string
  status: { label: string; tone: Tone }
  /** Null where the row has no amount. */
  amount: Amount | null
}
