import { clsx } from 'clsx'
import { useId } from 'react'
import type { Card } from '#lib/contract/records.ts'
import { shortId } from '#lib/shared/ids.ts'
import { cardDrawing } from './card-drawing.ts'
import { statusInSentence } from './card-status.ts'

const stopped = new Set<string | null>(['locked', 'suspended', 'cancelled', 'pending-issue', 'pending-activation'])

/** What a card is called: "Card ending 4821", or its shortened id. */
export function cardTitle({ id, last4 }: Pick<Card, 'id' | 'last4'>): string {
  return last4 ? `Card ending ${last4}` : `Card ${shortId(id)}`
}

/** `08/29`; null where the service did not provide both. */
export function expiryText({ expiryMonth, expiryYear }: Pick<Card, 'expiryMonth' | 'expiryYear'>): string | null {
  if (expiryMonth === null || expiryYear === null) return null
  return `${String(expiryMonth).padStart(2, '0')}/${String(expiryYear).slice(-2)}`
}

/**
 * A card drawn from its product's picture and name coordinates. Uses SVG attributes only, because the page's policy
 * forbids style attributes in served HTML. The small size leaves out text that would be too small to read.
 */
export function CardFace({ card, isSmall = false, className }: { card: Card; isSmall?: boolean; className?: string }) {
  const gradientId = useId()
  const { width, height, picture, name } = cardDrawing(card)
  const unit = Math.min(width, height) / 540
  const edge = width * 0.065
  const { fontSize, colour } = name
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={faceLabel(card)}
      className={clsx('block overflow-hidden rounded-[4.5%/7%]', card.status === 'cancelled' && 'grayscale', className)}
    >
      <defs>
        <linearGradient id={gradientId} x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="#1c7a70" />
          <stop offset="0.45" stopColor="#0d4a45" />
          <stop offset="1" stopColor="#0a2826" />
        </linearGradient>
      </defs>
      <rect width={width} height={height} fill={`url(#${gradientId})`} />
      {picture ? (
        <image href={picture} width={width} height={height} preserveAspectRatio="xMidYMid slice" />
      ) : (
        !isSmall && <PlainFace productName={card.product?.name ?? ''} unit={unit} width={width} edge={edge} />
      )}
      {stopped.has(card.status) && <rect width={width} height={height} fill="#10201f" fillOpacity="0.28" />}
      {isSmall ? (
        <text
          x={width - edge}
          y={height - edge}
          textAnchor="end"
          fontSize={150 * unit}
          fontWeight={600}
          fill={colour}
          className="font-mono"
        >
          {card.last4 ?? '••••'}
        </text>
      ) : (
        <>
          <text
            x={edge}
            y={height * 0.735}
            fontSize={46 * unit}
            letterSpacing={4 * unit}
            fill={colour}
            className="font-mono whitespace-pre"
          >
            {`••••  ••••  ••••  ${card.last4 ?? '••••'}`}
          </text>
          <text
            x={name.x}
            y={name.y}
            textAnchor={name.anchor}
            fontSize={fontSize}
            fontWeight={name.fontWeight}
            letterSpacing={name.letterSpacing}
            fill={colour}
            {...(name.textLength === null ? {} : { textLength: name.textLength, lengthAdjust: 'spacingAndGlyphs' })}
          >
            {name.text}
          </text>
          <text x={width - edge} y={name.y} textAnchor="end" fontSize={fontSize} fill={colour} className="tabular-nums">
            {expiryText(card)}
          </text>
        </>
      )}
    </svg>
  )
}

function faceLabel(card: Card): string {
  const expiry = expiryText(card)
  return [
    card.last4 ? `${card.product?.name || 'Card'} ending ${card.last4}` : card.product?.name || 'Card',
    card.embossedName,
    expiry && `expires ${expiry}`,
    card.status && statusInSentence(card.status),
  ]
    .filter(Boolean)
    .join(', ')
}

/** What a card shows without a picture: the product's name, a chip, the contactless sign. */
function PlainFace({
  productName,
  unit,
  width,
  edge,
}: {
  productName: string
  unit: number
  width: number
  edge: number
}) {
  const wave = (radius: number) =>
    `M${width - edge - (60 - radius) * unit} ${(84 - radius) * unit}a${radius * 1.5 * unit} ${radius * 1.5 * unit} 0 0 1 0 ${radius * 2 * unit}`
  return (
    <>
      <text x={edge} y={92 * unit} fontSize={34 * unit} fill="#ffffff" fillOpacity="0.92">
        {productName.length > 34 ? `${productName.slice(0, 33)}…` : productName}
      </text>
      <rect x={edge} y={164 * unit} width={96 * unit} height={74 * unit} rx={12 * unit} fill="#d9b765" />
      <path
        d={`M${edge} ${201 * unit}h${32 * unit}m${32 * unit} 0h${32 * unit}M${edge + 32 * unit} ${164 * unit}v${74 * unit}M${edge + 64 * unit} ${164 * unit}v${74 * unit}`}
        stroke="#8f6f2a"
        strokeWidth={2 * unit}
        fill="none"
      />
      <path
        d={[14, 24, 34].map(wave).join('')}
        stroke="#ffffff"
        strokeOpacity="0.85"
        strokeWidth={5 * unit}
        strokeLinecap="round"
        fill="none"
      />
    </>
  )
}
