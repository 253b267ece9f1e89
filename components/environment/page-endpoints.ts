import type { EndpointName } from '#lib/contract/endpoints.ts'

/** The endpoints behind each page, by the segment after the environment; the overview has none. */
const endpointsOfPage: Readonly<Record<string, readonly EndpointName[]>> = {
  '': ['listCardAccounts', 'aggregateBalance', 'listPayouts'],
  'card-accounts': [
    'listCardAccounts',
    'aggregateBalance',
    'listCards',
    'listCardAccountTransactions',
    'getClientIdentity',
    'listFees',
    'setFixedLimit',
    'setXmetadata',
    'lockCard',
    'unlockCard',
    'suspendCard',
    'unsuspendCard',
    'activateCard',
    'cancelCard',
    'changeCardPin',
  ],
  identity: ['listCardAccounts', 'getClientIdentity', 'resubmitClientIdentity', 'simulateClientIdentityStatus'],
  fees: ['listFees', 'waiveFee', 'listCardAccountTransactions'],
  payouts: [
    'listPayouts',
    'listAccounts',
    'validatePayout',
    'quotePayout',
    'executePayout',
    'listPayoutBanks',
    'getBank',
  ],
  'funding-accounts': ['listAccounts', 'listAccountTransactions'],
  rates: ['getRates'],
  banks: ['getBank', 'listPayoutBanks'],
  webhooks: ['listWebhooks', 'listWebhookStats', 'createWebhook', 'removeWebhook'],
}

/** Whether the page at this path shows or changes something through the endpoint. */
export function isEndpointOfPage(pathname: string, name: EndpointName): boolean {
  const [, , page = ''] = pathname.split('/')
  return Object.hasOwn(endpointsOfPage, page) && (endpointsOfPage[page]?.includes(name) ?? false)
}
