import { count } from '#components/ui/count.ts'
import { Time } from '#components/ui/time.tsx'
import type { RateHistory, RatePoint } from '#lib/console/rates/shapes.ts'
import { RateText } from './rate-text.tsx'

const cell = 'border-t px-3 py-1.5 text-right'

type Entry = { kind: 'point'; point: RatePoint } | { kind: 'gap'; fromMs: number; toMs: number }

/** What the chart draws as rows, the newest first, with its gaps in their places. */
export function PointTable({ history }: { history: RateHistory }) {
  const entries: Entry[] = [
    ...history.points.map((point): Entry => ({ kind: 'point', point })),
    ...history.gaps.map((gap): Entry => ({ kind: 'gap', ...gap })),
  ].toSorted((one, other) => endOf(other) - endOf(one))
  return (
    <section
      aria-label="Samples as a table"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard has to reach it
      tabIndex={0}
      className="max-h-72 overflow-auto rounded-control border"
    >
      <table className="w-full text-xs">
        <caption className="sr-only">
          {history.baseCurrency} in {history.currency}, the newest first
        </caption>
        <thead className="sticky top-0 bg-surface text-2xs text-faint">
          <tr>
            <th scope="col" className="px-3 py-1.5 text-left font-medium">
              Until
            </th>
            {['Open', 'Low', 'High', 'Close', 'Samples'].map((label) => (
              <th key={label} scope="col" className="px-3 py-1.5 text-right font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) =>
            entry.kind === 'gap' ? (
              <tr key={`gap-${entry.fromMs}`} className="bg-hover text-soft">
                <td className="border-t px-3 py-1.5 text-left" colSpan={6}>
                  No samples from <Time instant={entry.fromMs} format="exact" /> to{' '}
                  <Time instant={entry.toMs} format="exact" />
                </td>
              </tr>
            ) : (
              <tr key={entry.point.toMs}>
                <td className="border-t px-3 py-1.5 text-left text-soft">
                  <Time instant={entry.point.toMs} format="exact" />
                </td>
                {(['open', 'low', 'high', 'close'] as const).map((figure) => (
                  <td key={figure} className={cell}>
                    <RateText rate={entry.point[figure]} />
                  </td>
                ))}
                <td className={cell}>{count.format(entry.point.samples)}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </section>
  )
}

function endOf(entry: Entry): number {
  return entry.kind === 'gap' ? entry.toMs : entry.point.toMs
}
