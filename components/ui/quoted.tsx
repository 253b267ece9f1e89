/** A person's text in quotes. Its writing direction is isolated, so that it cannot turn the text around it. */
export function Quoted({ children }: { children: string }) {
  return (
    <span className="wrap-anywhere">
      “<bdi>{children}</bdi>”
    </span>
  )
}
