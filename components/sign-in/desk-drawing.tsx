/** A card over the line of its life: the desk in one drawing. The card keeps its colour in both themes. */
export function DeskDrawing({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 384 320" aria-hidden="true" className={className}>
      <defs>
        <radialGradient id="desk-card" cx="0" cy="0" r="1.1">
          <stop offset="0" stopColor="#1a8074" />
          <stop offset="0.55" stopColor="#0b5c56" />
          <stop offset="1" stopColor="#062f2c" />
        </radialGradient>
      </defs>
      <g className="fill-canvas stroke-line">
        <rect x="44.5" y="16.5" width="323" height="200" rx="14" />
        <rect x="22.5" y="32.5" width="323" height="200" rx="14" />
      </g>
      <rect x="0.5" y="48.5" width="323" height="200" rx="14" fill="url(#desk-card)" />
      <g fill="#ffffff">
        <rect x="24" y="96" width="38" height="28" rx="5" fill="#e0b45c" />
        <path d="M24 105h12M24 115h12M50 105h12M50 115h12" stroke="#8a6a24" strokeWidth="1.5" />
        {[0, 1, 2].map((group) =>
          [0, 1, 2, 3].map((dot) => (
            <circle key={`${group}-${dot}`} cx={28 + group * 58 + dot * 11} cy="176" r="2.6" opacity="0.75" />
          )),
        )}
        <text x="200" y="182" fontSize="18" letterSpacing="3" className="font-mono">
          4242
        </text>
        <text x="24" y="222" fontSize="11" letterSpacing="1.2" opacity="0.85" className="font-sans">
          LEE KA YAN
        </text>
        <text x="266" y="222" fontSize="11" letterSpacing="1" opacity="0.85" className="font-sans">
          08/29
        </text>
      </g>
      <g fill="none" stroke="#ffffff" strokeWidth="2" strokeLinecap="round" opacity="0.7">
        <path d="M282 78c3 5 3 13 0 18M289 74c5 7 5 19 0 26M296 70c7 10 7 24 0 34" />
      </g>
      <g>
        <path d="M12 290h300" className="stroke-line" strokeWidth="2" />
        <path d="M12 290h225" className="stroke-good" strokeWidth="2" />
        {[12, 87, 162].map((x) => (
          <circle key={x} cx={x} cy="290" r="6" className="fill-good" />
        ))}
        <circle cx="237" cy="290" r="11" className="fill-warn-wash" />
        <circle cx="237" cy="290" r="6" className="fill-warn" />
        <circle cx="312" cy="290" r="6" className="fill-line" />
      </g>
    </svg>
  )
}
