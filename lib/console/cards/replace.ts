import 'server-only'
import { z } from 'zod'
import type { Target } from '#lib/audit/types.ts'
import type { Card } from '#lib/contract/records.ts'
import { readOneAccount } from '#lib/index/account.ts'
import { fetchCards } from '#lib/index/cards-sync.ts'
import { findWaiting } from '#lib/operations/approvals/waiting.ts'
import { type EarlierStep, hasResult, operationSpec, refusedFields, unreadable } from '#lib/operations/spec.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { findById } from '#lib/shared/ids.ts'
import { ServiceId } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { expectIssuance, Issuance, issuanceFields, issueRequest, readBackIssued } from './issue.ts'
import { cancellationFacts, canBeLocked, cardTarget, cardTargetIn, LastFour, stepOn } from './operations.ts'
import { readReplacements, supersedeGone } from './replacements.ts'

const Replacement = Issuance.extend({
  /** The card that is replaced. */
  cardId: ServiceId,
  /** Lost or stolen: the card is locked and cancelled first. */
  isLost: z.boolean('must be true or false'),
  confirmLast4: LastFour.optional(),
})

export const replacingOperations = {
  /**
   * Issues a card in place of another one, once. `resultId` of the operation is the new card's id. For a card that is lost or
   * stolen it is one operation with up to three steps: lock, cancel, issue.
   */
  'card.replace': operationSpec({
    endpoint: 'issueCard',
    input: Replacement,
    target: cardTargetIn,
    request(input) {
      const issuing = issueRequest(input)
      if ('fields' in issuing) return issuing
      const target = cardTarget(input.cardAccountId, input.cardId, null)
      return { ...issuing, target, reason: input.isLost ? 'lost-or-stolen' : null }
    },
    async check(input) {
      const { environment, cardAccountId, cardId, isLost, confirmLast4 } = input
      const { account } = await readOneAccount(environment, cardAccountId)
      const read = await fetchCards(environment, account.id)
      const { cards } = read
      const card = findById(cards, cardId)
      if (!card) throw new AppError('CARD_NOT_FOUND', 'There is no such card on this account in this environment.')
      if (isLost && card.last4 !== null && confirmLast4 !== card.last4) {
        return { fields: { confirmLast4: 'does not match the last four digits of this card' } }
      }
      await supersedeGone(environment, card.id, read)
      const { replacedBy } = await readReplacements(environment, card, read)
      if (replacedBy) throw new AppError('CARD_ALREADY_REPLACED', 'This card has a replacement already.')
      const target = cardTarget(account.id, card.id, card)
      return {
        target,
        statusBefore: card.status,
        expected: expectIssuance(cards, input),
        earlier: isLost ? await planStepsOfLost(environment, card, target) : [],
      }
    },
    stepUp: ({ isLost }) => isLost,
    readBack: async (row, sent, accepted) =>
      row.targetParentId === null ? unreadable(null) : readBackIssued(row, row.targetParentId, sent, accepted),
    isShownBy: hasResult,
    changes: ({ targetId, targetParentId }) =>
      targetParentId === null
        ? []
        : [
            { type: 'card', id: targetId, cardAccountId: targetParentId },
            { type: 'cardaccount', id: targetParentId },
          ],
    fieldsOfError: (row) => refusedFields(row, issuanceFields),
  }),
}

/** Steps that stop a lost card, without those that are done already. A cancellation that waits for an approval is not requested again. */
async function planStepsOfLost(environment: Environment, { id, status }: Card, target: Target): Promise<EarlierStep[]> {
  const isEnding = status === 'cancelled' || (await findWaiting(environment, 'card.cancel', [id])).length > 0
  return [
    ...(canBeLocked(status) ? [stepOn('lock', target, status)] : []),
    ...(isEnding ? [] : [{ ...stepOn('cancel', target, status), policy: cancellationFacts(target) }]),
  ]
}
