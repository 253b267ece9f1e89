import { expect, test } from 'vitest'
import { messageLinks } from './cardholder-message.tsx'

test('a message begins as an SMS or an email with its text, in its language', () => {
  const reach = { phone: '+85290368176', email: 'olive.lee@example.com' }
  expect(messageLinks(reach, 'en', 'Send it & wait.')).toEqual({
    sms: 'sms:+85290368176?body=Send%20it%20%26%20wait.',
    mail: 'mailto:olive.lee@example.com?subject=Your%20identity%20check&body=Send%20it%20%26%20wait.',
  })
  const { mail = '' } = messageLinks(reach, 'zh-Hant-HK', '請提供')
  expect(new URL(mail).searchParams.get('subject')).toBe('您的身份核實')
})

test.each([
  { phone: '•••• 8176', email: 'o•••@example.com' },
  { phone: '***8176', email: 'o***@example.com' },
  { phone: '', email: '***' },
  { phone: null, email: undefined },
  { phone: '+852 9036?body=x', email: 'olive@example.com?cc=eve@example.com' },
  { phone: '+8529036817&x=1', email: 'olive@example.com,eve@example.com' },
])('what is masked, missing or more than an address leads nowhere: %j', (reach) => {
  expect(messageLinks(reach, 'en', 'Send it.')).toEqual({})
})
