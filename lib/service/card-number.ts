import { createHmac, randomInt } from 'node:crypto'
import { seal, unsealWithEither } from '#lib/shared/sealing.ts'

/**
 * Card numbers begin with 9999: ISO/IEC 7812 leaves 9 plus a country's three digits to national bodies, and ISO 3166
 * keeps 999 for private use, so neither a network nor a country can ever own this range.
 */
const prefix = '9999'
/** The digit after the prefix: seeded numbers, issued ones, and those with chosen last digits never meet. */
const series = { seeded: '0', issued: '1', chosen: '2' }

/** A fresh number of 16 digits for an issued card. */
export function issueCardNumber(): string {
  return withCheckDigit(`${prefix}${series.issued}${String(randomInt(10 ** 10)).padStart(10, '0')}`)
}

/**
 * The seeded number with this serial (0 to 8,999,999): no two serials share a number. With `last4` it ends in those
 * digits (serials 0 to 999,999).
 */
export function seededCardNumber(serial: number, last4?: string): string {
  if (last4 === undefined) {
    const scattered = (serial * 972_663_749 + 1_234_567_891) % 10 ** 10
    return withCheckDigit(`${prefix}${series.seeded}${String(scattered).padStart(10, '0')}`)
  }
  const scattered = String((serial * 700_001 + 123_457) % 1_000_000).padStart(6, '0')
  for (let digit = 0; digit < 10; digit++) {
    const number = `${prefix}${series.chosen}${scattered}${digit}${last4}`
    if (isLuhnValid(number)) return number
  }
  throw new TypeError(`not four digits: ${last4}`)
}

function withCheckDigit(digits: string): string {
  for (let check = 0; check < 10; check++) if (isLuhnValid(`${digits}${check}`)) return `${digits}${check}`
  throw new TypeError('a card number consists of digits')
}

/** Seals a card's number under the key from the settings, bound to the card's id. */
export function sealCardNumber(number: string, cardId: string, key: Buffer): Buffer {
  return seal(key, Buffer.from(number), cardId)
}

/**
 * The number of a card, also where the previous key sealed it. Throws when the bytes were altered, belong to another card or were
 * sealed with another key.
 */
export function openCardNumber(sealed: Buffer, cardId: string, key: Buffer, previous: Buffer | null = null): string {
  return unsealWithEither({ key, previous }, sealed, cardId).plain.toString()
}

/**
 * The three digits of the security code: derived from number and expiry, so that it is stored nowhere. The key is one of the service's
 * own, so that codes stay when `CARD_NUMBER_KEY` is replaced.
 */
export function securityCode(number: string, expiryMonth: number, expiryYear: number, key: Buffer): string {
  const digest = createHmac('sha256', key).update(`security-code:${number}:${expiryYear}-${expiryMonth}`).digest()
  return String(digest.readUInt32BE(0) % 1000).padStart(3, '0')
}

/** Whether digits end in their Luhn check digit (ISO/IEC 7812-1, annex B). */
export function isLuhnValid(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place])
    const weighted = place % 2 === 1 ? digit * 2 : digit
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return /^\d+$/.test(digits) && sum % 10 === 0
}
