import type { Card } from '#lib/contract/records.ts'

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

function pictureOf(url: string | null | undefined): string | null {
  return url?.startsWith('/') && !url.startsWith('//') && !url.includes('\\') ? url : null
}

function weightOf(text: string | null | undefined): number {
  return namedWeights[text?.toLowerCase() ?? ''] ?? length(text, 500, [100, 900])
}

function anchorOf(position: string | null | undefined): 'start' | 'middle' | 'end' {
  const labels = position?.toUpperCase() ?? ''
  if (labels.includes('RIGHT')) return 'end'
  return labels.includes('CENTER') || labels.includes('CENTRE') || labels.includes('MIDDLE') ? 'middle' : 'start'
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
  const anchor = anchorOf(details.cardNamePosition)
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
    picture: pictureOf(card.product?.imageUrl),
    name: {
      text,
      x,
      y,
      anchor,
      fontSize,
      fontWeight: weightOf(details.cardNameFontWeight),
      letterSpacing,
      textLength: needed > room ? Math.max(room, fontSize) : null,
      colour: colourPattern.test(details.cardNameColor ?? '') ? (details.cardNameColor ?? '#ffffff') : '#ffffff',
    },
  }
}
