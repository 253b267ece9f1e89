/** The first stop of the Tab key: past the navigation, to the page itself. */
export function SkipLink({ target = 'main' }: { target?: string }) {
  return (
    <a
      href={`#${target}`}
      className="fixed top-2 left-2 z-60 -translate-y-16 rounded-control bg-accent px-3 py-1.5 font-medium text-on-accent focus:translate-y-0"
    >
      Skip to the page
    </a>
  )
}
