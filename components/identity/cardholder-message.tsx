import { Mail, MessageSquareText } from 'lucide-react'
import { CopyButton } from '#components/ui/id-text.tsx'
import { quietLink } from '#components/ui/text-link.tsx'

/** How a cardholder can be reached, as far as the service gives it and the reader may see it in full. */
type Reach = { phone: string | null | undefined; email: string | null | undefined }

const subjects = { en: 'Your identity check', 'zh-Hant-HK': '您的身份核實' }
type Tag = keyof typeof subjects

/** Links that begin a message in the reader's own programs (RFC 5724, RFC 6068). A masked address or number has none. */
export function messageLinks({ phone, email }: Reach, tag: Tag, text: string): { sms?: string; mail?: string } {
  const body = `body=${encodeURIComponent(text)}`
  const subject = `subject=${encodeURIComponent(subjects[tag])}`
  const isMail = email && /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(email)
  return {
    ...(phone && /^\+\d{7,15}$/.test(phone) ? { sms: `sms:${phone}?${body}` } : {}),
    ...(isMail ? { mail: `mailto:${email}?${subject}&${body}` } : {}),
  }
}

/** Message to a cardholder whose identity was rejected, in both languages. */
export function CardholderMessages({ english, chinese, reach }: { english: string; chinese: string; reach: Reach }) {
  return (
    <div className="grid gap-3">
      <Message language="English" tag="en" text={english} reach={reach} />
      <Message language="Traditional Chinese" tag="zh-Hant-HK" text={chinese} reach={reach} />
    </div>
  )
}

function Message({ language, tag, text, reach }: { language: string; tag: Tag; text: string; reach: Reach }) {
  const { sms, mail } = messageLinks(reach, tag, text)
  return (
    <div className="rounded-control bg-sunken px-3 py-2.5">
      <div className="flex items-center gap-3 text-xs text-soft">
        <h3 className="mr-auto">{language}</h3>
        {sms && (
          <a href={sms} className={quietLink} aria-label={`Write SMS in ${language}`}>
            <MessageSquareText className="mr-1 inline size-3.5" />
            SMS
          </a>
        )}
        {mail && (
          <a href={mail} className={quietLink} aria-label={`Write email in ${language}`}>
            <Mail className="mr-1 inline size-3.5" />
            Email
          </a>
        )}
        <CopyButton text={text} label={`message in ${language}`} />
      </div>
      <p lang={tag} className="text-pretty">
        {text}
      </p>
    </div>
  )
}
