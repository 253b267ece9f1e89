import { toOptions } from '#components/form/options.ts'
import type { ActionInput } from '#lib/actions/run-action.ts'
import { creditIntents, declineReasons } from '#lib/contract/sandbox.ts'
import { cardAccountCurrencies, eventNames, rejectionReasons, simulatedCurrencies } from '#lib/contract/terms.ts'
import type { Lab } from '#lib/environments/types.ts'
import { parseJson } from '#lib/shared/json.ts'
import type { SelectOption } from '../form/select-field.tsx'
import { disputeOptions } from '../transactions/transaction-labels.ts'

type LabActionInput = ActionInput<'performLabAction'>

export type FormValues = Readonly<Record<string, string>>
export type Given = LabActionInput['given']

/** A field of a simulator or of a fault. `name` is its path in the body: `merchant.mcc`. */
export type SimulatorField = {
  name: string
  label: string
  /** The type of its value in the body; text by default. `each`: one or many ids, each of which is a request. */
  as?: 'number' | 'boolean' | 'flag' | 'json' | 'nullable' | 'ids' | 'each'
  options?: readonly SelectOption[]
  initial?: string
  hint?: string
  isOptional?: true
  isMono?: true
  /** A unit, or the currency that the form has. */
  suffix?: 'currency' | 'ms'
  /** Texts to choose from, or to type another one. */
  suggestions?: (values: FormValues) => readonly string[]
  /** Only the control plane of the built-in sandbox takes it. */
  isBuiltIn?: true
  /** The options that the interface has; all of them by default. */
  interfaceOptions?: readonly string[]
  /** Whether the other values of the form leave room for it; always shown by default. */
  isShown?: (values: FormValues) => boolean
  /** Whether it is sent, for a field that only helps to fill another; always sent by default. */
  isSent?: (values: FormValues) => boolean
}

export type Simulator = {
  action: LabActionInput['action']
  label: string
  submit: string
  fields: readonly SimulatorField[]
  /** Said once it is done; by default what its result says. */
  done?: string
  /** The body from the entries, where they are not its fields. */
  toBody?: (entries: Given) => Given
}

const cardAccountId: SimulatorField = { name: 'cardAccountId', label: 'Card account' }
const cardId: SimulatorField = { name: 'cardId', label: 'Card' }
const transactionId: SimulatorField = { name: 'transactionId', label: 'Transaction' }

/** The name of the field that holds the id of an event's record, from which the sandbox fills the event; null where there is none. */
function neededSubject(event = ''): string | null {
  if (event.startsWith('cardaccount.transaction.')) return 'transactionId'
  if (event.startsWith('cardaccount.')) return 'cardAccountId'
  if (event.startsWith('account.transaction.')) return 'accountTransactionId'
  if (event.startsWith('card.')) return 'cardId'
  return event.startsWith('payout.') ? 'payoutId' : null
}

const isSubject =
  (...names: string[]) =>
  ({ event }: FormValues) =>
    names.includes(neededSubject(event) ?? '')
const amount: SimulatorField = { name: 'amount', label: 'Amount', as: 'number', initial: '50', suffix: 'currency' }
const partialAmount = (part: string): SimulatorField => ({
  name: 'amount',
  label: 'Amount',
  as: 'number',
  isOptional: true,
  isBuiltIn: true,
  hint: part,
})
const description: SimulatorField = { name: 'description', label: 'Description', isOptional: true }

const isRejection = ({ action }: FormValues) => action === 'reject'

/** The ids in a pasted text, separated by spaces, commas or lines, each once. */
export function idsIn(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((id) => id !== ''))]
}

/** The decline reasons, labelled by the issuer's message and its response code. */
const declineOptions: SelectOption[] = Object.entries(declineReasons).map(([value, reason]) => ({
  value,
  label: `${reason.responseMessage} (${reason.responseCode})`,
}))

/** Every simulator of the lab. The sandbox checks what a form sends. */
export const simulators = {
  charge: {
    action: 'charge',
    label: 'Authorize a charge',
    submit: 'Authorize charge',
    fields: [
      cardAccountId,
      cardId,
      amount,
      {
        name: 'currency',
        label: 'Currency',
        options: toOptions(cardAccountCurrencies),
        interfaceOptions: simulatedCurrencies,
        initial: 'HKD',
      },
      {
        name: 'declineReason',
        label: 'Decline',
        isOptional: true,
        isBuiltIn: true,
        options: [{ value: '', label: 'Only where the card or a limit requires it' }, ...declineOptions],
      },
      {
        name: 'type',
        label: 'Type',
        isOptional: true,
        isBuiltIn: true,
        options: [
          { value: '', label: 'Usual' },
          { value: 'PURCHASE', label: 'Purchase' },
          { value: 'ATM', label: 'ATM' },
        ],
      },
      {
        name: 'cardPresent',
        label: 'Card present',
        as: 'boolean',
        isOptional: true,
        isBuiltIn: true,
        options: [
          { value: '', label: 'By card type' },
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ],
      },
      { name: 'opts.purchaseAmount', label: 'Purchase total', as: 'number', isOptional: true },
      {
        name: 'opts.countryCode',
        label: 'Country code',
        as: 'number',
        isOptional: true,
        hint: 'ISO 3166-1 number, such as 344',
      },
      { name: 'merchant.name', label: 'Merchant', isOptional: true, isBuiltIn: true },
      { name: 'merchant.mcc', label: 'MCC', isOptional: true, isBuiltIn: true, hint: 'Four digits, with a merchant' },
      {
        name: 'merchant.country',
        label: 'Merchant country',
        isOptional: true,
        isBuiltIn: true,
        hint: 'Two letters, such as HK',
      },
    ],
  },
  capture: {
    action: 'capture',
    label: 'Capture',
    submit: 'Capture',
    fields: [cardAccountId, transactionId, partialAmount('Empty captures all of it')],
  },
  reverse: {
    action: 'reverse',
    label: 'Reverse',
    submit: 'Reverse',
    fields: [cardAccountId, transactionId, partialAmount('Empty reverses all of it')],
  },
  credit: {
    action: 'credit',
    label: 'Credit or withdraw',
    submit: 'Post entry',
    fields: [
      cardAccountId,
      {
        name: 'intent',
        label: 'Intent',
        options: Object.entries(creditIntents).map(([value, intent]) => ({ value, label: intent.description })),
        initial: 'topup',
      },
      amount,
      {
        name: 'status',
        label: 'Status',
        options: [
          { value: 'posted', label: 'Posted' },
          { value: 'pending', label: 'Pending' },
        ],
        initial: 'posted',
      },
      {
        name: 'entryType',
        label: 'Direction',
        isOptional: true,
        options: [
          { value: '', label: 'Usual' },
          { value: 'DEBIT', label: 'Adds to the balance' },
          { value: 'CREDIT', label: 'Subtracts' },
        ],
      },
      description,
    ],
  },
  repay: {
    action: 'repay',
    label: 'Repay',
    submit: 'Repay what is owed',
    done: 'Repaid.',
    fields: [{ name: 'cardAccountIds', label: 'Card accounts', as: 'ids' }],
  },
  identity: {
    action: 'decide-identity',
    label: 'Decide identities',
    submit: 'Decide identities',
    done: 'Decided.',
    fields: [
      { name: 'cardAccountId', label: 'Card accounts', as: 'each' },
      {
        name: 'action',
        label: 'Decision',
        options: [
          { value: 'approve', label: 'Approve' },
          { value: 'reject', label: 'Reject' },
        ],
        initial: 'approve',
      },
      {
        name: 'rejectedReason',
        label: 'Reason',
        options: toOptions(rejectionReasons),
        initial: rejectionReasons[0],
        isBuiltIn: true,
        isShown: isRejection,
      },
      {
        name: 'rejectionAdditionalInfo',
        label: 'Additional info',
        isOptional: true,
        isBuiltIn: true,
        isShown: isRejection,
      },
    ],
  },
  fee: {
    action: 'fee',
    label: 'Charge a fee',
    submit: 'Charge fee',
    fields: [
      cardAccountId,
      { name: 'intent', label: 'Fee', initial: 'late-payment-fee' },
      { ...amount, initial: '25' },
    ],
  },
  dispute: {
    action: 'dispute',
    label: 'Set the dispute',
    submit: 'Set dispute',
    fields: [
      cardAccountId,
      transactionId,
      {
        name: 'status',
        label: 'Dispute status',
        as: 'nullable',
        options: disputeOptions,
        initial: 'requested',
      },
    ],
  },
  'top-up': {
    action: 'top-up',
    label: 'Top up a funding account',
    submit: 'Top up',
    fields: [{ name: 'accountId', label: 'Funding account' }, { ...amount, initial: '10000' }, description],
  },
  event: {
    action: 'event',
    label: 'Send an event',
    submit: 'Send event',
    fields: [
      { name: 'event', label: 'Event', options: toOptions(eventNames), initial: 'card.updated' },
      {
        ...cardAccountId,
        isOptional: true,
        isShown: isSubject('cardAccountId', 'cardId', 'transactionId'),
        isSent: isSubject('cardAccountId'),
      },
      { ...cardId, isOptional: true, isShown: isSubject('cardId') },
      { ...transactionId, isOptional: true, isShown: isSubject('transactionId') },
      { name: 'payoutId', label: 'Payout', isOptional: true, isShown: isSubject('payoutId') },
      {
        name: 'accountTransactionId',
        label: 'Ledger entry ID',
        isOptional: true,
        isShown: isSubject('accountTransactionId'),
      },
      { name: 'data', label: 'Data', as: 'json', isOptional: true, hint: 'JSON; replaces fields of the record' },
    ],
  },
} as const satisfies Record<string, Simulator>

export type SimulatorName = keyof typeof simulators
export const simulatorNames = Object.keys(simulators) as SimulatorName[]

/** A simulator as the sandbox has it: without a control plane only with what the interface takes. */
export function simulatorIn(lab: Lab, { fields, ...simulator }: Simulator): Simulator {
  if (lab === 'built-in') return { ...simulator, fields }
  const taken = fields.filter(({ isBuiltIn }) => !isBuiltIn)
  return {
    ...simulator,
    fields: taken.map(({ options, interfaceOptions, ...field }) =>
      options ? { ...field, options: options.filter(({ value }) => interfaceOptions?.includes(value) ?? true) } : field,
    ),
  }
}

/** The values that a form begins with; `given` ones replace the defaults. */
export function initialValues({ fields }: Simulator, given: FormValues): FormValues {
  return { ...Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial])), ...given }
}

/**
 * The body for the control plane's endpoint. Empty entries are left out; an entry that is not a number is sent as
 * typed.
 */
export function makeBody({ fields, toBody }: Simulator, values: FormValues): Given {
  const body: Record<string, Given[string]> = {}
  for (const { name, as, isShown, isSent } of fields) {
    if (isShown?.(values) === false || isSent?.(values) === false) continue
    const text = (values[name] ?? '').trim()
    if (text === '' && as !== 'nullable') continue
    const [holder = name, key] = name.split('.')
    if (key === undefined) body[name] = parseValue(text, as)
    else body[holder] = { ...(body[holder] as Given | undefined), [key]: parseValue(text, as) }
  }
  return toBody?.(body) ?? body
}

/** The bodies of what a form sends: one, or one for each id of a field that is `each`. */
export function makeBodies(simulator: Simulator, values: FormValues): Given[] {
  const body = makeBody(simulator, values)
  const name = simulator.fields.find(({ as }) => as === 'each')?.name ?? ''
  const ids = body[name]
  return Array.isArray(ids) ? ids.map((id) => ({ ...body, [name]: id })) : [body]
}

function parseValue(text: string, as: SimulatorField['as']): Given[string] {
  if (as === 'number') return Number.isFinite(Number(text)) ? Number(text) : text
  if (as === 'boolean' || as === 'flag') return text === 'true'
  if (as === 'nullable') return text === '' ? null : text
  if (as === 'ids' || as === 'each') return idsIn(text)
  return as === 'json' ? (parseJson(text, text) as Given[string]) : text
}
