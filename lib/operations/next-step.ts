/** What starts a round: a person's press, its time, or a page that shows the operation, which sends nothing before that time. */
export type Occasion = 'press' | 'due' | 'look'

/** The response was accepted, and the record does not show the change. */
export const notConfirmed = 'NOT_CONFIRMED'
/** A person must check: the request may have made a record, or is not sent again for somebody who may not do it any more. */
export const needsReview = 'NEEDS_REVIEW'

/** After this many rounds, in about half an hour, an accepted operation whose record never shows the change is left to people. */
const maximumReadings = 10
/** After this many rounds, in about an hour and a half, nothing is sent again unless a person presses. */
const maximumSendings = 16

/** What is known of an operation that was sent before, when its record was read again and does not show the change. */
export type Known = {
  occasion: Occasion
  /** A page shows it before its time: the record is read, and nothing is sent. */
  isEarlyLook: boolean
  /** Rounds before this one. */
  attempts: number
  /** The code of the last response, or of the last round. */
  code: string | null
  /** The last response was an error about the content, which an earlier attempt may have caused. */
  isBusinessError: boolean
  /** It makes no record: once that is read, a second sending is taken to have no second effect. */
  isRepeatable: boolean
  /** A second sending has no second effect here: it makes no record, or the record is missing and the service honours keys. */
  hasOneEffect: boolean
  /** Whether the same bytes can go under the same key: not while the service's clock is unknown, and never after either is forgotten. */
  sameRequest: 'possible' | 'not now' | 'never'
  /** The service said when it accepts requests again, and that is later; or what moves money could not be read. */
  isLimited: boolean
  /** The person who started it may still do it. */
  isPermitted: boolean
}

/** What the round does: it sends the same bytes again, or leaves the outcome open with a code, for good where `isLast`. */
export type NextStep = 'send' | { code: string | null; isLast: boolean }

/**
 * The first row that applies:
 *
 * | known                                                | changes a record              | makes a record                |
 * | ---------------------------------------------------- | ----------------------------- | ----------------------------- |
 * | the same request can never go again                  | ends, its outcome unknown     | accepted: open; else a person |
 * | the same request cannot go now                       | open                          | accepted: open; else a person |
 * | accepted, or refused after an attempt that was lost  | open, ends after ten readings | open                          |
 * | a second sending might have a second effect          | –                             | a person                      |
 * | the person who started it may not do it any more     | a person                      | a person                      |
 * | looked at early, sent often, or the service is limited | open                        | open                          |
 * | otherwise                                            | sent, unless changed since    | sent                          |
 *
 * What makes a record stays open until the record is found or a person settles it.
 */
export function nextStep(known: Known): NextStep {
  const { code, isRepeatable, isEarlyLook } = known
  if (known.sameRequest !== 'possible') {
    if (isRepeatable) return { code, isLast: known.sameRequest === 'never' }
    return { code: code === notConfirmed ? code : needsReview, isLast: false }
  }
  if (code === notConfirmed || known.isBusinessError) {
    return { code, isLast: isRepeatable && !isEarlyLook && known.attempts + 1 >= maximumReadings }
  }
  if (!known.hasOneEffect || !known.isPermitted) return { code: needsReview, isLast: false }
  const isSentOften = known.occasion !== 'press' && known.attempts >= maximumSendings
  return isEarlyLook || isSentOften || known.isLimited ? { code, isLast: false } : 'send'
}
