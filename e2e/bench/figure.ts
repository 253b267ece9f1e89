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
export function toRateFigure(figure: string, perSecond: number, least: number): Figure {
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
  return bytesOf(figure, { size: 1000, unit: 'kB' }, bytes, mostKilobytes)
}

/** Less is better: so many million bytes, with a limit of their own. */
export function megabytes(figure: string, bytes: number, mostMegabytes: number): Figure {
  return bytesOf(figure, { size: 1e6, unit: 'MB' }, bytes, mostMegabytes)
}

function bytesOf(figure: string, { size, unit }: { size: number; unit: string }, bytes: number, most: number): Figure {
  return {
    figure,
    measured: `${Math.round(bytes / size).toLocaleString('en')} ${unit}`,
    reference: '–',
    ratio: '–',
    bar: `≤ ${most.toLocaleString('en')} ${unit}`,
    isReached: bytes <= most * size,
  }
}

/** The median and the 99th percentile of times in milliseconds. */
export type Times = { p50: number; p99: number }

/** Less is better: two times beside those of a reference. The bar is about the median, as a multiple, or about one of the two, in milliseconds. */
export function times(
  figure: string,
  measured: Times,
  reference: Times,
  bar: { multiple: number } | { [Name in keyof Times]?: number },
): Figure {
  const text = ({ p50, p99 }: Times) => `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`
  const ratio = measured.p50 / reference.p50
  const limits =
    'multiple' in bar ? [] : (['p50', 'p99'] as const).flatMap((name) => ({ name, most: bar[name] ?? Infinity }))
  const bars = limits.filter(({ most }) => most !== Infinity)
  return {
    figure,
    measured: text(measured),
    reference: text(reference),
    ratio: ratio.toFixed(2),
    bar:
      'multiple' in bar ? `p50 ≤ ${bar.multiple} ×` : bars.map(({ name, most }) => `${name} ≤ ${most} ms`).join(', '),
    isReached: 'multiple' in bar ? ratio <= bar.multiple : bars.every(({ name, most }) => measured[name] <= most),
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

/** A figure that could not be measured, so that the others of a long run are not lost with it. */
export async function orFailed(figure: string, measure: () => Promise<Figure>): Promise<Figure> {
  try {
    return await measure()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { figure, measured: `failed: ${why.slice(0, 80)}`, reference: '–', ratio: '–', bar: '–', isReached: false }
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
