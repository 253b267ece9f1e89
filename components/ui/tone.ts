/** Good or bad of a status, a figure or a message. A tone always goes with a label. */
export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad' | 'info'

/** The wash with its ink, for badges and callouts. */
export const toneWash: Record<Tone, string> = {
  neutral: 'bg-hover text-soft',
  accent: 'bg-accent-wash text-accent',
  good: 'bg-good-wash text-good',
  warn: 'bg-warn-wash text-warn',
  bad: 'bg-bad-wash text-bad',
  info: 'bg-info-wash text-info',
}

export const toneText: Record<Tone, string> = {
  neutral: 'text-ink',
  accent: 'text-accent',
  good: 'text-good',
  warn: 'text-warn',
  bad: 'text-bad',
  info: 'text-info',
}

/** The fill of a drawn shape: `text-*` sets `currentColor`, which the shape uses. */
export const toneFill: Record<Tone, string> = {
  neutral: 'fill-faint',
  accent: 'fill-accent',
  good: 'fill-good',
  warn: 'fill-warn',
  bad: 'fill-bad',
  info: 'fill-info',
}
