/** A line of a report; `holds` is whether the figure is as it has to be. */
export type Figure = { label: string; figure: string | number; holds: boolean }

/** Prints the figures; returns whether all hold. */
export function report(title: string, figures: Figure[]): boolean {
  console.log(`\n${title}`)
  for (const { label, figure, holds } of figures) console.log(`${holds ? '  ' : '✗ '}${label.padEnd(64)}${figure}`)
  return figures.every(({ holds }) => holds)
}
