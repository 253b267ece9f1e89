import { findEntry } from '#components/ui/code-entry.ts'
import type { rejectionReasons } from '#lib/contract/terms.ts'

export type RejectionReason = (typeof rejectionReasons)[number]

/** Meaning of a reason, the document that settles it, and the message to the cardholder. */
type ReasonEntry = { meaning: string; document: string; needsNoFile?: true; english: string; chinese: string }

/** Every reason of the interface, in its order. */
const reasonTable: Record<RejectionReason, ReasonEntry> = {
  'Incomplete Info (not residential address)': {
    meaning: 'The address is not a home address, such as an office or a PO box.',
    document: 'Proof of residential address from the last 3 months',
    english:
      'We couldn’t verify your identity because the address you gave is not a residential address. Please send us your home address and a proof of address from the last 3 months, such as a utility bill or a bank statement that shows your name.',
    chinese:
      '由於您提供的地址並非住宅地址，我們未能核實您的身份。請提供您的住宅地址，以及最近三個月內發出並載有您姓名的住址證明，例如水電煤帳單或銀行月結單。',
  },
  'Invalid ID (name check hit)': {
    meaning: 'The name matches an entry of a screening list. The match is not confirmed.',
    document: 'Clear copy of a valid identity document, and a second one with a photo',
    english:
      'We need more information to verify your identity. Please send us a clear copy of your identity card or passport, and a second official document with your photo, such as a driving licence.',
    chinese:
      '我們需要更多資料以核實您的身份。請提供您的身份證或護照的清晰副本，以及另一份附有相片的官方文件，例如駕駛執照。',
  },
  "Invalid ID (exceed the company's risk appetite)": {
    meaning: 'The client is outside the risk that the issuer accepts. Another document rarely changes this.',
    document: 'None. Ask compliance before you resubmit.',
    needsNoFile: true,
    english:
      'We reviewed your application and can’t offer you a card account at this time. Please contact us if your circumstances have changed or if you have questions.',
    chinese: '我們已審核您的申請，目前未能為您提供卡賬戶。如您的情況有變或有任何疑問，請與我們聯絡。',
  },
  'Additional Doc for Non-HK Resident (missing id back photo)': {
    meaning: 'Only the front of the identity document was sent.',
    document: 'Photo of the back of the identity document',
    english:
      'We received only the front of your identity document. Please send us a clear photo of the back of the same document.',
    chinese: '我們只收到您身份證明文件的正面。請提供同一份文件背面的清晰相片。',
  },
  'Additional Doc for Non-HK Resident (hotel info invalid)': {
    meaning: 'The hotel details of a visitor to Hong Kong could not be verified.',
    document: 'Hotel booking confirmation with name, hotel address and dates of stay',
    english:
      'We couldn’t verify the hotel information you gave. Please send us your hotel booking confirmation that shows your name, the hotel’s name and address, and the dates of your stay.',
    chinese: '我們未能核實您提供的酒店資料。請提供酒店預訂確認，當中須載有您的姓名、酒店名稱及地址，以及入住日期。',
  },
  'Additional Doc for Non-HK Resident (document type not accepted)': {
    meaning: 'The supporting document is of a type that is not accepted.',
    document: 'Passport, visa, proof of address, or both sides of the travel permit',
    english:
      'We can’t accept the type of document you sent. Please send us one of these instead: your passport, your visa, a proof of address, or both sides of your travel permit.',
    chinese: '我們不接受您提供的文件類型。請改為提供以下其中一項：護照、簽證、住址證明，或旅行通行證的正面及背面。',
  },
  'Additional Doc for Non-HK Resident (expired document)': {
    meaning: 'A supporting document has passed its expiry date.',
    document: 'The same supporting document, valid today',
    english: 'The supporting document you sent has expired. Please send us a copy of a valid one.',
    chinese: '您提供的證明文件已過期。請提供有效文件的副本。',
  },
  'Additional Doc for Non-HK Resident (unclear image)': {
    meaning: 'The image of a supporting document can’t be read.',
    document: 'New photo of the same document: whole page, in focus, no glare',
    english:
      'We couldn’t read the image of your document. Please send us a new photo that shows the whole page, in focus and without glare.',
    chinese: '我們未能讀取您的文件影像。請重新拍攝並提供顯示整頁、清晰及沒有反光的相片。',
  },
  'Additional Doc for Non-HK Resident (document not belong to client)': {
    meaning: 'The supporting document is in another person’s name.',
    document: 'Supporting document in the cardholder’s own name',
    english:
      'The document you sent is not in your name. Please send us a supporting document that shows your own full name, as on your identity document.',
    chinese: '您提供的文件並非以您的名義發出。請提供載有您本人全名（與身份證明文件相同）的證明文件。',
  },
  'Additional Doc for Non-HK Resident (potential bogus document)': {
    meaning: 'The supporting document may not be genuine. Inform compliance before you request another one.',
    document: 'Original document, or a copy certified by a lawyer, a notary or the issuing authority',
    english:
      'We couldn’t verify the document you sent. Please send us a copy that is certified by a lawyer, a notary public or the authority that issued it.',
    chinese: '我們未能核實您提供的文件。請提供由律師、公證人或發出文件的機構核證的副本。',
  },
  'Invalid ID (expired doc)': {
    meaning: 'The identity document has passed its expiry date.',
    document: 'Valid identity card, passport or national ID',
    english:
      'Your identity document has expired. Please send us a clear copy of a valid identity card, passport or national ID.',
    chinese: '您的身份證明文件已過期。請提供有效身份證、護照或國民身份證的清晰副本。',
  },
}

/** The entry of a reason; null for one that this version does not know, which is shown as sent. */
export function reasonEntry(reason: string | null): ReasonEntry | null {
  return findEntry(reasonTable, reason ?? '') ?? null
}
