/** What a person wrote, in quotes: its direction stays its own, so that it cannot turn the text around it. */
export function Quoted({ children }: { children: string }) {
  return (
    <span className="wrap-anywhere">
      “<bdi>{children}</bdi>”
    </span>
  )
}
