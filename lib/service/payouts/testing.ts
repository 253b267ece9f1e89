import { expect } from 'vitest'
import type { Account } from '#lib/contract/accounts.ts'
import { endpoints, type ResponseOf, type EndpointName } from '#lib/contract/endpoints.ts'
import type { Payout, PayoutQuote } from '#lib/contract/payouts.ts'
import { accounts } from '../tables/payouts.ts'
import type { CallInput, TestService } from '../testing.ts'

export const hkdAccountId = '11111111-1111-4111-8111-111111111111'
export const usdAccountId = '22222222-2222-4222-8222-222222222222'

/** Two funding accounts with 10,000 in each. */
export async function insertFundingAccounts({ service }: TestService): Promise<void> {
  const rich = { balance: '10000', available: '10000' }
  await service.db.insert(accounts).values([
    { id: hkdAccountId, number: '001', name: 'HKD account', currency: 'HKD', ...rich },
    { id: usdAccountId, number: '002', name: 'USD account', currency: 'USD', ...rich },
  ])
}

/** The response of a call that must succeed, checked against the contract. */
export async function callEndpoint<Name extends EndpointName>(
  service: TestService,
  name: Name,
  input?: CallInput,
): Promise<ResponseOf<Name>> {
  const { status, json, text } = await service.call(name, input)
  expect(status, text).toBe(200)
  expect(endpoints[name].response.parse(json)).toEqual(json)
  return json
}

export const philippines = {
  method: 'BANK_TRANSFER',
  accountId: hkdAccountId,
  sourceCurrency: 'HKD',
  sourceAmount: 100.25,
  destinationCountry: 'PH',
  destinationCurrency: 'PHP',
}

export const beneficiary = {
  accountNumber: '001230456789',
  firstName: 'Maria',
  surname: 'Santos',
  address: '6780 Ayala Avenue, Makati 1226',
  bankCode: '010530667',
}

export const cardBeneficiary = {
  accountNumber: '6222020200012345678',
  firstName: 'San',
  firstNameCN: '三',
  surname: 'Zhang',
  surnameCN: '张',
  address: '上海市浦东新区世纪大道88号国金中心二期 18楼',
}

export async function quote(service: TestService, body: object = philippines): Promise<PayoutQuote> {
  return callEndpoint(service, 'quotePayout', { body })
}

export function makeExecution(quoteId: string, more: object = {}): CallInput {
  return { body: { quoteId, destination: beneficiary, purpose: 'salary', sourceOfFunds: 'business', ...more } }
}

export async function execute(service: TestService, quoteId: string, more: object = {}): Promise<Payout> {
  return callEndpoint(service, 'executePayout', makeExecution(quoteId, more))
}

export async function fundingAccount(service: TestService, id = hkdAccountId): Promise<Account | undefined> {
  const { accounts: found } = await callEndpoint(service, 'listAccounts')
  return found.find((account) => account.id === id)
}
