import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { ResponseUuid, oneOf, openEnum, Uuid, Xid, Xmetadata } from './fields.ts'

/** `cardaccount` is the interface's sample, the other two are decided. */
export const xmetadataTargetTypes = ['cardaccount', 'card', 'payout'] as const
export type XmetadataTargetType = (typeof xmetadataTargetTypes)[number]

export const xmetadataEndpoints = {
  setXmetadata: endpoint({
    method: 'POST',
    path: '/xmetadata/set',
    summary: 'Replaces xid and xmetadata of a resource; null removes, a field that is left out stays.',
    body: z.object({
      target: z.object({ type: oneOf(xmetadataTargetTypes), id: Uuid }, 'must be an object'),
      xid: Xid.nullish(),
      xmetadata: Xmetadata.nullish(),
    }),
    response: z.object({
      target: z.object({ type: openEnum(xmetadataTargetTypes), id: ResponseUuid }),
      xid: Xid.nullable(),
      xmetadata: Xmetadata.nullable(),
    }),
    errors: ['CARD_ACCOUNT_NOT_FOUND', 'CARD_NOT_FOUND', 'PAYOUT_NOT_FOUND', 'XID_ALREADY_EXISTS'],
  }),
}
