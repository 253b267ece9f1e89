import type { DeclineBoundName, DeclineStep } from '#lib/console/transactions/types.ts'
import type { CardStatus } from '#lib/contract/terms.ts'

type Stopped = Exclude<CardStatus, 'active'>
type CardStep = Extract<DeclineStep, { kind: 'card-action' }>['action']

/** Why a charge was declined, in English. The console and embedded views show these texts. */
export const declineEn = {
  why: 'Why it was declined',
  bounds: 'Limits on this charge',
  now: 'The same charge now',
  tell: 'Tell the cardholder',

  boundNames: {
    available: 'Available balance',
    availableLimit: 'Largest charge possible',
    singleTransactionLimit: 'Single transaction limit',
    cardPresentLimit: 'Card-present limit',
    cardNotPresentLimit: 'Card-not-present limit',
    dailyAtmLimit: 'Daily cash limit',
    dailyPurchaseLimit: 'Daily purchase limit',
    dailyLimit: 'Daily limit',
    cardLimit: 'Card limit',
  } satisfies Record<DeclineBoundName, string>,
  periods: { charge: 'per charge', day: 'per day', month: 'per month' },
  noLimit: 'no limit',
  over: (amount: string) => `${amount} over`,
  short: (amount: string) => `${amount} short`,
  spare: (amount: string) => `${amount} to spare`,
  tooLow: 'too low',
  enough: 'enough',
  notKnown: 'not known',
  onlyNow: (now: string) => `${now} now`,
  thenAndNow: (then: string, now: string) => `${then} at the time, ${now} now`,

  causes: {
    status: {
      locked: 'The card was locked.',
      suspended: 'The card was suspended.',
      'pending-issue': 'The card was not issued yet.',
      'pending-activation': 'The card was not activated yet.',
      cancelled: 'The card was cancelled.',
    } satisfies Record<Stopped, string>,
    expiry: 'The card had expired.',
    balance: (amount: string) => `The charge of ${amount} was more than the available balance.`,
    limit: (amount: string, name: string, limit: string) =>
      `The charge of ${amount} was more than the ${name.toLowerCase()} of ${limit}.`,
    left: (amount: string, name: string, limit: string, left: string) =>
      `The charge of ${amount} was more than the ${left} left of the ${name.toLowerCase()} of ${limit}.`,
    anyLimit: (amount: string, name: string) => `The charge of ${amount} was more than the ${name.toLowerCase()}.`,
    changedSince: 'It is within that limit by today’s figures: the limit or the charges have changed since.',
    other: 'The response names no status, limit or balance of this card.',
    asSent: 'The card service says no more than this.',
  },

  obstacles: {
    status: {
      locked: 'The card is locked.',
      suspended: 'The card is suspended.',
      'pending-issue': 'The card is not issued yet.',
      'pending-activation': 'The card is not activated yet.',
      cancelled: 'The card is cancelled.',
    } satisfies Record<Stopped, string>,
    expiry: 'The card has expired.',
    balance: (short: string) => `The available balance is ${short} short.`,
    over: (short: string, name: string) => `It is ${short} over the ${name.toLowerCase()}.`,
    anyOver: (name: string) => `It is over the ${name.toLowerCase()}.`,
  },

  changes: {
    none: 'Nothing stops the same charge now.',
    notKnown: 'The card service doesn’t show what stops it.',
    steps: (steps: string) => `To let it pass: ${steps}.`,
    thenOrElse: 'Other limits may still stop it.',
    actions: { unlock: 'Unlock card', unsuspend: 'Unsuspend card', activate: 'Activate card' } satisfies Record<
      CardStep,
      string
    >,
    setLimit: (limit: string) => `Set limit to ${limit}`,
    and: ', ',
    lockedBefore: 'If the card was locked before, unlock it too.',
    ownLimits: 'No action changes a card’s own limits.',
    topUp: (amount: string) => `A top-up of ${amount} would cover it; there is no action for that.`,
    balance: 'No action covers it.',
    cancelled: 'No action brings a cancelled card back.',
    expired: 'No action renews an expired card.',
    notIssued: 'It has to be issued first; there is no action for that.',
    passesFrom: (time: string) => `It passes from ${time}, when the limit begins anew.`,
    largest: (amount: string) => `Up to ${amount} passes now.`,
    converted: 'The merchant asked for another currency, so the amount moves with the rate.',
  },

  cardholder: {
    status: {
      locked: 'Your card was locked, so the payment was declined.',
      suspended: 'Your card is on hold, so the payment was declined.',
      'pending-issue': 'Your card isn’t issued yet, so the payment was declined.',
      'pending-activation': 'Your card isn’t activated yet, so the payment was declined.',
      cancelled: 'That card is cancelled, so the payment was declined. It can’t be used again.',
    } satisfies Record<Stopped, string>,
    /** What stops the card now, where something else declined the payment. */
    statusNow: {
      locked: 'Your card is locked now: it has to be unlocked before you try again.',
      suspended: 'Your card is on hold now, so it can’t be used.',
      'pending-issue': 'Your card isn’t issued yet.',
      'pending-activation': 'Your card has to be activated before you try again.',
      cancelled: 'Your card is cancelled now and can’t be used again.',
    } satisfies Record<Stopped, string>,
    expiry: 'Your card has expired, so the payment was declined.',
    balance: (amount: string) => `Your payment of ${amount} was more than your available balance.`,
    limit: (amount: string, name: string, limit: string) =>
      `Your payment of ${amount} was over your card’s ${name.toLowerCase()} of ${limit}.`,
    anyLimit: (amount: string) => `Your payment of ${amount} was over a limit of your card.`,
    codes: {
      '55': 'The PIN was not correct.',
      '75': 'The PIN was entered wrongly too many times.',
      '91': 'The payment couldn’t be processed at that moment.',
    } as Readonly<Record<string, string>>,
    other: 'Your payment was declined. We don’t have the reason.',
    /** The card service gave a reason, in its own words. */
    unexplained: 'Your payment was declined.',
    notCharged: 'You were not charged.',
    upTo: (amount: string) => `You can pay up to ${amount} now.`,
    from: (time: string) => `You can try again from ${time}.`,
    again: 'You can try again now.',
  },
}

/** Every text about declines, by key. A language without one of the keys does not compile. */
export type DeclineTexts = typeof declineEn
