import type { BankInfo } from '#lib/contract/banks.ts'
import type { BankCountry } from '#lib/contract/terms.ts'

/** A bank that payouts reach: `code` is the country's own clearing code. */
type Bank = { code: string; name: string; wireCode: string; address: string; city: string }

type Row = [code: string, name: string, wireCode: string, address: string, city: string]

const countryNames: Record<BankCountry, string> = {
  HK: 'Hong Kong',
  PH: 'Philippines',
  IN: 'India',
  ID: 'Indonesia',
  KR: 'Korea, Republic of',
  CN: 'China',
}

const rows: Record<BankCountry, Row[]> = {
  HK: [
    ['004', 'The Hongkong and Shanghai Banking Corporation', 'HSBCHKHH', "1 Queen's Road Central", 'Hong Kong'],
    ['024', 'Hang Seng Bank', 'HASEHKHH', '83 Des Voeux Road Central', 'Hong Kong'],
    ['012', 'Bank of China (Hong Kong)', 'BKCHHKHH', '1 Garden Road, Central', 'Hong Kong'],
    ['003', 'Standard Chartered Bank (Hong Kong)', 'SCBLHKHH', '4-4A Des Voeux Road Central', 'Hong Kong'],
    ['015', 'The Bank of East Asia', 'BEASHKHH', '10 Des Voeux Road Central', 'Hong Kong'],
    ['016', 'DBS Bank (Hong Kong)', 'DHBKHKHH', "99 Queen's Road Central", 'Hong Kong'],
    ['072', 'Industrial and Commercial Bank of China (Asia)', 'UBHKHKHH', '3 Garden Road, Central', 'Hong Kong'],
  ],
  PH: [
    ['010530667', 'BDO Unibank', 'BNORPHMM', '7899 Makati Avenue', 'Makati'],
    ['010040018', 'Bank of the Philippine Islands', 'BOPIPHMM', '6768 Ayala Avenue', 'Makati'],
    ['010269996', 'Metropolitan Bank and Trust Company', 'MBTCPHMM', 'Senator Gil Puyat Avenue', 'Makati'],
    ['010350025', 'Land Bank of the Philippines', 'TLBPPHMM', '1598 M. H. del Pilar Street', 'Manila'],
    ['010080010', 'Philippine National Bank', 'PNBMPHMM', 'Diosdado Macapagal Boulevard', 'Pasay'],
    ['010419995', 'UnionBank of the Philippines', 'UBPHPHMM', 'Meralco Avenue, Ortigas Center', 'Pasig'],
  ],
  IN: [
    ['SBIN', 'State Bank of India', 'SBININBB', 'Madame Cama Road, Nariman Point', 'Mumbai'],
    ['HDFC', 'HDFC Bank', 'HDFCINBB', 'Senapati Bapat Marg, Lower Parel', 'Mumbai'],
    ['ICIC', 'ICICI Bank', 'ICICINBB', 'Bandra-Kurla Complex', 'Mumbai'],
    ['UTIB', 'Axis Bank', 'AXISINBB', 'Pandurang Budhkar Marg, Worli', 'Mumbai'],
    ['PUNB', 'Punjab National Bank', 'PUNBINBB', 'Plot 4, Sector 10, Dwarka', 'New Delhi'],
    ['KKBK', 'Kotak Mahindra Bank', 'KKBKINBB', 'Bandra-Kurla Complex', 'Mumbai'],
  ],
  ID: [
    ['014', 'Bank Central Asia', 'CENAIDJA', 'Jalan M. H. Thamrin 1', 'Jakarta'],
    ['008', 'Bank Mandiri', 'BMRIIDJA', 'Jalan Jenderal Gatot Subroto Kav. 36-38', 'Jakarta'],
    ['002', 'Bank Rakyat Indonesia', 'BRINIDJA', 'Jalan Jenderal Sudirman Kav. 44-46', 'Jakarta'],
    ['009', 'Bank Negara Indonesia', 'BNINIDJA', 'Jalan Jenderal Sudirman Kav. 1', 'Jakarta'],
    ['022', 'Bank CIMB Niaga', 'BNIAIDJA', 'Jalan Jenderal Sudirman Kav. 58', 'Jakarta'],
    ['013', 'Bank Permata', 'BBBAIDJA', 'Jalan Jenderal Sudirman Kav. 29-31', 'Jakarta'],
  ],
  KR: [
    ['004', 'KB Kookmin Bank', 'CZNBKRSE', '26 Gukjegeumyung-ro 8-gil, Yeongdeungpo-gu', 'Seoul'],
    ['088', 'Shinhan Bank', 'SHBKKRSE', '20 Sejong-daero 9-gil, Jung-gu', 'Seoul'],
    ['020', 'Woori Bank', 'HVBKKRSE', '51 Sogong-ro, Jung-gu', 'Seoul'],
    ['081', 'Hana Bank', 'KOEXKRSE', '35 Eulji-ro, Jung-gu', 'Seoul'],
    ['011', 'NH NongHyup Bank', 'NACFKRSE', '120 Tongil-ro, Jung-gu', 'Seoul'],
    ['003', 'Industrial Bank of Korea', 'IBKOKRSE', '79 Eulji-ro, Jung-gu', 'Seoul'],
  ],
  CN: [
    ['102', 'Industrial and Commercial Bank of China', 'ICBKCNBJ', '55 Fuxingmennei Avenue', 'Beijing'],
    ['105', 'China Construction Bank', 'PCBCCNBJ', '25 Finance Street', 'Beijing'],
    ['103', 'Agricultural Bank of China', 'ABOCCNBJ', '69 Jianguomennei Avenue', 'Beijing'],
    ['104', 'Bank of China', 'BKCHCNBJ', '1 Fuxingmennei Avenue', 'Beijing'],
    ['308', 'China Merchants Bank', 'CMBCCNBS', '7088 Shennan Boulevard', 'Shenzhen'],
    ['301', 'Bank of Communications', 'COMMCNSH', '188 Yincheng Middle Road', 'Shanghai'],
  ],
}

function isBankCountry(countryCode: string): countryCode is BankCountry {
  return Object.hasOwn(rows, countryCode)
}

/** The banks of a country that payouts reach, or null where payouts do not reach the country. */
export function listBanksIn(countryCode: string): Bank[] | null {
  if (!isBankCountry(countryCode)) return null
  return rows[countryCode].map(([code, name, wireCode, address, city]) => ({ code, name, wireCode, address, city }))
}

export function findBank(countryCode: string, code: string): Bank | null {
  return listBanksIn(countryCode)?.find((bank) => bank.code === code) ?? null
}

/** The bank of a wire code of 8 characters, or of 11 that end in XXX, the head office. Case does not matter. */
export function findBankInfo(wireCode: string): BankInfo | null {
  const sought = wireCode
    .trim()
    .toUpperCase()
    .replace(/^(.{8})XXX$/, '$1')
  for (const [countryCode, country] of Object.entries(countryNames)) {
    const bank = listBanksIn(countryCode)?.find((each) => each.wireCode === sought)
    if (bank) return bankInfo(bank, countryCode, country)
  }
  return null
}

function bankInfo(bank: Bank, countryCode: string, country: string): BankInfo {
  return {
    id: `${countryCode}-${bank.code}`,
    countryCode,
    country,
    bankName: bank.name,
    wireCode: bank.wireCode,
    branch: 'Head Office',
    bankAddress: bank.address,
    city: bank.city,
    accountNumber: settlementAccount(bank),
  }
}

/** The bank's own settlement account: nine digits drawn from its wire code, so that they never change. */
function settlementAccount({ wireCode }: Bank): string {
  let digits = 0
  for (const letter of wireCode) digits = (digits * 31 + letter.charCodeAt(0)) % 1_000_000_000
  return String(digits).padStart(9, '0')
}
