/** The logo: a card on a desk. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 28 28" aria-hidden="true" className={className ?? 'size-7'}>
      <rect width="28" height="28" rx="7" className="fill-accent" />
      <g fill="none" strokeWidth="1.75" strokeLinecap="round" strokeLinejoin="round" className="stroke-on-accent">
        <rect x="6.5" y="8" width="15" height="10.5" rx="2" />
        <path d="M6.5 11.75h15M9.5 15.25h3" />
        <path d="M9 21.75h10" />
      </g>
    </svg>
  )
}

export function Logo() {
  return (
    <span className="flex items-center gap-2.5">
      <LogoMark />
      <span className="text-md font-semibold tracking-tight">Carddesk</span>
    </span>
  )
}
