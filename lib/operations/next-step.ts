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
  /** It creates a record. An operation that only changes one is taken to have no second effect when it is sent again after a reading. */
  creates: boolean
  /** A second sending has no second effect here: it creates no record, or the record is missing and the service honours keys. */
  hasOneEffect: boolean
  /** Whether the same bytes can go under the same key: not while the service's clock is unknown, and never after either is forgotten. */
  sameRequest: 'possible' | 'not now' | 'never'
  /** Nothing may be sent now: the service asked to wait, or the operation moves money and its record could not be read. */
  mustWait: boolean
  /** The person who started it may still do it. */
  isPermitted: boolean
}

/** What the round does: it sends the same bytes again, or leaves the outcome open with a code, for good where `isLast`. */
export type NextStep = 'send' | { code: string | null; isLast: boolean }

/**
 * The first row that applies:
 *
 * | known                                                | changes a record              | creates a record              |
 * | ---------------------------------------------------- | ----------------------------- | ----------------------------- |
 * | the same request can never go again                  | ends, its outcome unknown     | accepted: open; else a person |
 * | the same request cannot go now                       | open                          | accepted: open; else a person |
 * | accepted, or refused after an attempt that was lost  | open, ends after ten readings | open                          |
 * | a second sending might have a second effect          | –                             | a person                      |
 * | the person who started it may not do it any more     | a person                      | a person                      |
 * | looked at early, sent often, or it must wait         | open                          | open                          |
 * | otherwise                                            | sent, unless changed since    | sent                          |
 *
 * An operation that creates a record stays open until the record is found or a person settles it.
 */
export function nextStep(known: Known): NextStep {
  const { code, creates, isEarlyLook } = known
  if (known.sameRequest !== 'possible') {
    if (!creates) return { code, isLast: known.sameRequest === 'never' }
    return { code: code === notConfirmed ? code : needsReview, isLast: false }
  }
  if (code === notConfirmed || known.isBusinessError) {
    return { code, isLast: !creates && !isEarlyLook && known.attempts + 1 >= maximumReadings }
  }
  if (!known.hasOneEffect || !known.isPermitted) return { code: needsReview, isLast: false }
  const isSentOften = known.occasion !== 'press' && known.attempts >= maximumSendings
  return isEarlyLook || isSentOften || known.mustWait ? { code, isLast: false } : 'send'
}
