import { clsx } from 'clsx'
import { useId } from 'react'
import type { Card } from '#lib/contract/records.ts'
import { shortId } from '#lib/shared/ids.ts'
import { statusInSentence } from './card-status.ts'

const stopped = new Set<string | null>(['locked', 'suspended', 'cancelled', 'pending-issue', 'pending-activation'])

/** Title of a card: "Card ending 4821", or its shortened id. */
export function cardTitle({ id, last4 }: Pick<Card, 'id' | 'last4'>): string {
  return last4 ? `Card ending ${last4}` : `Card ${shortId(id)}`
}

/** A card in the middle of a sentence: "card ending 4821". */
export function cardNoun(card: Pick<Card, 'id' | 'last4'>): string {
  return cardTitle(card).replace('Card', 'card')
}

/** `08/29`; null where the service did not provide both. */
export function expiryText({ expiryMonth, expiryYear }: Pick<Card, 'expiryMonth' | 'expiryYear'>): string | null {
  if (expiryMonth === null || expiryYear === null) return null
  return `${String(expiryMonth).padStart(2, '0')}/${String(expiryYear).slice(-2)}`
}

/** The fields of a card that its face shows. */
export type CardOnFace = Pick<Card, 'embossedName' | 'product' | 'last4' | 'expiryMonth' | 'expiryYear' | 'status'>

/**
 * A card drawn from its product's picture and name coordinates. Uses SVG attributes only, because the page's policy
 * forbids style attributes in served HTML. The small size leaves out text that would be too small to read.
 */
export function CardFace({
  card,
  isSmall = false,
  className,
}: {
  card: CardOnFace
  isSmall?: boolean
  className?: string
}) {
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

function faceLabel(card: CardOnFace): string {
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

/** Face of a card without a picture: the product's name, a chip, the contactless sign. */
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

/** A card's picture in figures: what an SVG needs, with a valid value for each one that the service left out or garbled. */
type CardDrawing = {
  width: number
  height: number
  /** A picture of our own origin, the only ones that the content policy lets in. */
  picture: string | null
  name: {
    text: string
    x: number
    y: number
    anchor: 'start' | 'middle' | 'end'
    fontSize: number
    fontWeight: number
    letterSpacing: number
    /** Set where the name would leave the card: it is squeezed into this width. */
    textLength: number | null
    colour: string
  }
}

const colourPattern = /^(#[0-9a-f]{3,8}|[a-z]{3,20}|rgba?\([\d.,%\s/]{1,40}\))$/i
const namedWeights: Record<string, number> = { normal: 400, medium: 500, semibold: 600, bold: 700 }

type ImageDetails = NonNullable<NonNullable<Card['product']>['cardImageDetails']>

/** A length such as `30`, `30px` or `1.2`; anything else, or beyond the bounds, is the value given instead. */
function length(text: string | null | undefined, fallback: number, [least, most]: [number, number]): number {
  const value = Number.parseFloat(text ?? '')
  return Number.isFinite(value) && value >= least && value <= most ? value : fallback
}

function ownPictureUrl(url: string | null | undefined): string | null {
  return url?.startsWith('/') && !url.startsWith('//') && !url.includes('\\') ? url : null
}

function parseFontWeight(text: string | null | undefined): number {
  return namedWeights[text?.toLowerCase() ?? ''] ?? length(text, 500, [100, 900])
}

function parseAnchor(position: string | null | undefined): 'start' | 'middle' | 'end' {
  const place = position?.toUpperCase() ?? ''
  if (place.includes('RIGHT')) return 'end'
  return place.includes('CENTER') || place.includes('CENTRE') || place.includes('MIDDLE') ? 'middle' : 'start'
}

const anchored = {
  start: (x: number, width: number) => width - x,
  middle: (x: number, width: number) => 2 * Math.min(x, width - x),
  end: (x: number) => x,
}

/** The drawing of a card from `product.cardImageDetails`; the coordinates are the name's base line, in the picture's pixels. */
export function cardDrawing(card: Pick<Card, 'embossedName' | 'product'>): CardDrawing {
  const details: Partial<ImageDetails> = card.product?.cardImageDetails ?? {}
  const isPortrait = details.cardOrientation?.toUpperCase() === 'PORTRAIT'
  const width = length(details.cardWidth, isPortrait ? 540 : 856, [100, 5000])
  const height = length(details.cardHeight, isPortrait ? 856 : 540, [100, 5000])
  const fontSize = length(details.cardNameFontSize, height / 18, [height / 60, height / 6])
  const letterSpacing = length(details.cardNameLetterSpacing, 1, [-5, 20])
  const anchor = parseAnchor(details.cardNamePosition)
  const [atX, atY] = details.cardNameCoordinates ?? []
  const edge = width * 0.065
  const defaultX = { start: edge, middle: width / 2, end: width - edge }[anchor]
  const x = typeof atX === 'number' && atX >= 0 && atX <= width ? atX : defaultX
  const y = typeof atY === 'number' && atY >= fontSize && atY <= height ? atY : height - edge
  const text = card.embossedName ?? ''
  const room = anchored[anchor](x, width) - (anchor === 'start' ? width * 0.24 : edge)
  const needed = [...text].length * (fontSize * 0.66 + letterSpacing)
  return {
    width,
    height,
    picture: ownPictureUrl(card.product?.imageUrl),
    name: {
      text,
      x,
      y,
      anchor,
      fontSize,
      fontWeight: parseFontWeight(details.cardNameFontWeight),
      letterSpacing,
      textLength: needed > room ? Math.max(room, fontSize) : null,
      colour: colourPattern.test(details.cardNameColor ?? '') ? (details.cardNameColor ?? '#ffffff') : '#ffffff',
    },
  }
}
