/** One line of the table. `ratio` is what the bar is about; `reference` was measured in the same run. */
export type Figure = {
  figure: string
  measured: string
  reference: string
  ratio: string
  bar: string
  isReached: boolean
}

const rate = (perSecond: number) => `${Math.round(perSecond).toLocaleString('en')}/s`
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`

/** More is better: so many a second, as a share of the reference. */
export function share(
  figure: string,
  perSecond: number,
  reference: { name: string; perSecond: number },
  least: number,
): Figure {
  const ratio = perSecond / reference.perSecond
  return {
    figure,
    measured: rate(perSecond),
    reference: `${rate(reference.perSecond)} ${reference.name}`,
    ratio: ratio.toFixed(2),
    bar: `≥ ${least.toFixed(2)}`,
    isReached: ratio >= least,
  }
}

/** More is better: so many a second. */
export function rateOf(figure: string, perSecond: number, least: number): Figure {
  return {
    figure,
    measured: rate(perSecond),
    reference: '–',
    ratio: '–',
    bar: `≥ ${rate(least)}`,
    isReached: perSecond >= least,
  }
}

/** Less is better: a time, with a limit of its own. */
export function time(figure: string, ms: number, mostMs: number): Figure {
  return {
    figure,
    measured: ms < 1000 ? `${Math.round(ms)} ms` : seconds(ms),
    reference: '–',
    ratio: '–',
    bar: mostMs < 1000 ? `≤ ${mostMs} ms` : `≤ ${seconds(mostMs)}`,
    isReached: ms <= mostMs,
  }
}

/** Less is better: thousands of bytes, with a limit of their own. */
export function kilobytes(figure: string, bytes: number, mostKilobytes: number): Figure {
  return {
    figure,
    measured: `${Math.round(bytes / 1000)} kB`,
    reference: '–',
    ratio: '–',
    bar: `≤ ${mostKilobytes} kB`,
    isReached: bytes <= mostKilobytes * 1000,
  }
}

/** Less is better: a time, as a multiple of the reference. */
export function multiple(figure: string, ms: number, reference: { name: string; ms: number }, most: number): Figure {
  const ratio = ms / reference.ms
  return {
    figure,
    measured: `${ms.toFixed(1)} ms`,
    reference: `${reference.ms.toFixed(1)} ms ${reference.name}`,
    ratio: ratio.toFixed(2),
    bar: `≤ ${most.toFixed(2)}`,
    isReached: ratio <= most,
  }
}

export function printTable(figures: readonly Figure[]): void {
  const rows = figures.map((row) => [
    row.figure,
    row.measured,
    row.reference,
    row.ratio,
    row.bar,
    row.isReached ? 'reached' : 'MISSED',
  ])
  const head = ['figure', 'measured', 'reference', 'ratio', 'bar', '']
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)))
  for (const row of [head, widths.map((width) => '─'.repeat(width)), ...rows])
    console.log(
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}
