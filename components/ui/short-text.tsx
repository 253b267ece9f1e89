/** A reference of any length in a line of others: its end is left out where it is long, and its title is whole. */
export function ShortText({ text }: { text: string }) {
  return (
    <span title={text} className="max-w-64 min-w-0 truncate">
      {text}
    </span>
  )
}
