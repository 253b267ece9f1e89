import type { DeclineTexts } from '#components/messages/decline-en.ts'
import { findEntry } from '#components/ui/code-entry.ts'
import type { DeclineBound, DeclineSlack, DeclineStep, TransactionDecline } from '#lib/console/transactions/types.ts'
import { isLess } from '#lib/contract/exact-sum.ts'
import type { CardAccountTransaction } from '#lib/contract/records.ts'

/** Formats values in a language: an amount with its currency, and an instant with its zone. */
export type DeclineWriter = {
  texts: DeclineTexts
  amount: (amount: string, currency: string | null) => string
  time: (instant: string) => string
}

export type DeclineBoundText = {
  label: string
  /** "10,000.00 HKD per charge"; null for a balance, which has no limit. */
  limit: string | null
  slack: string
  /** "too low", "enough" or "not known": of the same charge now. */
  verdict: string
  isOver: boolean
}

/** Why a charge was declined, what stops the same charge now and would let it pass, and what to say to the cardholder: sentences. */
export function describeDecline(
  writer: DeclineWriter,
  decline: TransactionDecline,
  { authorization }: Pick<CardAccountTransaction, 'authorization'>,
  /** Buttons offer the steps, so that no sentence has to name them. */
  hasButtons = false,
): {
  why: string
  now: string
  bounds: DeclineBoundText[]
  steps: { step: DeclineStep; label: string }[]
  tell: string
} {
  const { change, bounds } = decline.explanation
  return {
    why: join(causeSentences(writer, decline)),
    now: join(nowSentences(writer, decline, hasButtons)),
    bounds: bounds.map((bound) => boundText(writer, decline, bound)),
    steps:
      change.kind === 'steps' ? change.steps.map((step) => ({ step, label: stepLabel(writer, decline, step) })) : [],
    tell: join(cardholderSentences(writer, decline, authorization)),
  }
}

/** Sentences in a row. A Chinese full stop has its space in itself. */
function join(sentences: readonly (string | false | null | undefined)[]): string {
  return sentences.filter(Boolean).join(' ').replaceAll('。 ', '。')
}

function money({ amount }: DeclineWriter, { explanation }: TransactionDecline): (value: string) => string {
  return (value) => amount(value, explanation.currency)
}

function causeSentences(writer: DeclineWriter, decline: TransactionDecline): (string | false)[] {
  const { causes, boundNames } = writer.texts
  const write = money(writer, decline)
  const { cause, bounds, amount } = decline.explanation
  if (cause.kind === 'status') return [causes.status[cause.status]]
  if (cause.kind === 'expiry') return [causes.expiry]
  if (cause.kind !== 'bound' || amount === null) return [cause.kind === 'as-sent' ? causes.asSent : causes.other]
  if (cause.name === 'available') return [causes.balance(write(amount))]
  const bound = bounds.find(({ name }) => name === cause.name)
  const name = boundNames[cause.name]
  const limit = bound?.limit ?? null
  if (!bound || limit === null || limit === 'none') return [causes.anyLimit(write(amount), name)]
  const left = isLess(bound.atDecline.left, 0) ? '0' : bound.atDecline.left
  if (bound.atDecline.exceeds === false) return [causes.anyLimit(write(amount), name), causes.changedSince]
  return [
    left !== null && isLess(left, limit)
      ? causes.left(write(amount), name, write(limit), write(left))
      : causes.limit(write(amount), name, write(limit)),
  ]
}

function boundText(writer: DeclineWriter, decline: TransactionDecline, bound: DeclineBound): DeclineBoundText {
  const { texts } = writer
  const { name, limit, period } = bound
  const then = slackText(writer, decline, bound, bound.atDecline)
  const now = slackText(writer, decline, bound, bound.now)
  const figure = limit === 'none' ? texts.noLimit : limit === null ? texts.notKnown : money(writer, decline)(limit)
  const isBalance = name === 'available' || name === 'availableLimit'
  return {
    label: texts.boundNames[name],
    limit: isBalance ? null : period === null || limit === 'none' ? figure : `${figure} ${texts.periods[period]}`,
    slack: then === now ? now : then === texts.notKnown ? texts.onlyNow(now) : texts.thenAndNow(then, now),
    verdict: limit === 'none' ? texts.noLimit : formatVerdict(writer, bound.now),
    isOver: bound.now.exceeds === true,
  }
}

function formatVerdict({ texts }: DeclineWriter, { exceeds }: DeclineSlack): string {
  return exceeds === null ? texts.notKnown : exceeds ? texts.tooLow : texts.enough
}

function slackText(
  writer: DeclineWriter,
  decline: TransactionDecline,
  { name, limit }: DeclineBound,
  left: DeclineSlack,
): string {
  const { texts } = writer
  if (limit === 'none') return texts.noLimit
  const { slack } = left
  if (slack === null) return formatVerdict(writer, left)
  const write = money(writer, decline)
  if (!isLess(slack, 0)) return texts.spare(write(slack))
  const short = write(slack.replace('-', ''))
  return name === 'available' ? texts.short(short) : texts.over(short)
}

function nowSentences(
  writer: DeclineWriter,
  decline: TransactionDecline,
  hasButtons: boolean,
): (string | false | null)[] {
  const { changes, obstacles: obstacleTexts, boundNames } = writer.texts
  const write = money(writer, decline)
  const { change, obstacles, isComplete, isConverted, largestNow } = decline.explanation
  if (change.kind === 'none') return [changes.none]
  if (change.kind === 'not-known') return [changes.notKnown]
  const stops = obstacles.map((one) => {
    if (one.kind === 'status') return obstacleTexts.status[one.status]
    if (one.kind === 'expiry') return obstacleTexts.expiry
    if (one.short === null) return obstacleTexts.anyOver(boundNames[one.name])
    return one.name === 'available'
      ? obstacleTexts.balance(write(one.short))
      : obstacleTexts.over(write(one.short), boundNames[one.name])
  })
  if (change.kind === 'steps') {
    const unsuspends = change.steps.some((step) => step.kind === 'card-action' && step.action === 'unsuspend')
    const labels = change.steps.map((step) => stepLabel(writer, decline, step))
    return [
      ...stops,
      !hasButtons && changes.steps(labels.join(changes.and)),
      unsuspends && changes.lockedBefore,
      !isComplete && changes.thenOrElse,
      isConverted && changes.converted,
      largestNow !== null && changes.largest(write(largestNow)),
    ]
  }
  return [
    ...stops,
    ...noActionSentences(writer, decline),
    change.passesFrom !== null && changes.passesFrom(writer.time(change.passesFrom)),
    largestNow !== null && changes.largest(write(largestNow)),
  ]
}

/** Why the interface has no action for what stops the charge. */
function noActionSentences(writer: DeclineWriter, decline: TransactionDecline): (string | false)[] {
  const { changes } = writer.texts
  const { obstacles } = decline.explanation
  const has = (status: string) => obstacles.some((one) => one.kind === 'status' && one.status === status)
  const balance = obstacles.find((one) => one.kind === 'bound' && one.name === 'available')
  const short = balance?.kind === 'bound' ? balance.short : null
  const { accountType } = decline.account
  return [
    has('cancelled') && changes.cancelled,
    has('pending-issue') && changes.notIssued,
    obstacles.some(({ kind }) => kind === 'expiry') && changes.expired,
    obstacles.some((one) => one.kind === 'bound' && one.name !== 'available') && changes.ownLimits,
    short !== null && accountType === 'prepaid' && changes.topUp(money(writer, decline)(short)),
    short !== null && accountType !== 'prepaid' && obstacles.length === 1 && changes.balance,
  ]
}

/** Names of a step, on its button and within a sentence. */
function stepLabel(writer: DeclineWriter, decline: TransactionDecline, step: DeclineStep): string {
  const { changes } = writer.texts
  return step.kind === 'card-action'
    ? changes.actions[step.action]
    : changes.setLimit(money(writer, decline)(step.limit))
}

function cardholderSentences(
  writer: DeclineWriter,
  decline: TransactionDecline,
  authorization: CardAccountTransaction['authorization'],
): (string | false)[] {
  const { cardholder } = writer.texts
  const { cause, change, obstacles, largestNow } = decline.explanation
  const stop = obstacles.find(({ kind }) => kind === 'status')
  const isOther = stop?.kind === 'status' && !(cause.kind === 'status' && cause.status === stop.status)
  const isNamed = cause.kind !== 'other' && cause.kind !== 'as-sent'
  return [
    cardholderReason(writer, decline, authorization),
    cardholder.notCharged,
    isOther && cardholder.statusNow[stop.status],
    cause.kind === 'bound' &&
      change.kind !== 'none' &&
      largestNow !== null &&
      cardholder.upTo(money(writer, decline)(largestNow)),
    change.kind === 'no-action' && change.passesFrom !== null && cardholder.from(writer.time(change.passesFrom)),
    isNamed && change.kind === 'none' && cardholder.again,
  ]
}

/** Why the charge was declined, as the cardholder is told. */
function cardholderReason(
  writer: DeclineWriter,
  decline: TransactionDecline,
  authorization: CardAccountTransaction['authorization'],
): string {
  const { responseCode, responseMessage } = authorization ?? {}
  const { cardholder, boundNames } = writer.texts
  const write = money(writer, decline)
  const { cause, amount, bounds } = decline.explanation
  if (cause.kind === 'status') return cardholder.status[cause.status]
  if (cause.kind === 'expiry') return cardholder.expiry
  if (cause.kind === 'as-sent') return responseMessage ? cardholder.unexplained : cardholder.other
  if (amount === null) return cardholder.other
  if (cause.kind === 'other') return findEntry(cardholder.codes, responseCode ?? '') ?? cardholder.other
  if (cause.name === 'available') return cardholder.balance(write(amount))
  const bound = bounds.find(({ name }) => name === cause.name)
  // Where the charge is within the limit, it was another one then.
  const limit = bound?.atDecline.exceeds === false ? null : bound?.limit
  if (!limit || limit === 'none') return cardholder.anyLimit(write(amount))
  return cardholder.limit(write(amount), boundNames[cause.name], write(limit))
}
