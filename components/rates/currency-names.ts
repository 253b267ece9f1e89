const names: Record<string, string> = {
  AUD: 'Australian dollar',
  CAD: 'Canadian dollar',
  CHF: 'Swiss franc',
  CNH: 'Renminbi, offshore',
  CNY: 'Renminbi',
  EUR: 'Euro',
  GBP: 'Pound sterling',
  HKD: 'Hong Kong dollar',
  IDR: 'Indonesian rupiah',
  INR: 'Indian rupee',
  JPY: 'Japanese yen',
  KRW: 'Korean won',
  MOP: 'Macanese pataca',
  MYR: 'Malaysian ringgit',
  NZD: 'New Zealand dollar',
  PHP: 'Philippine peso',
  SGD: 'Singapore dollar',
  THB: 'Thai baht',
  TWD: 'New Taiwan dollar',
  USD: 'US dollar',
  VND: 'Vietnamese dong',
}

/** The name of a currency; null for a code that has no name here. The browser's own names differ from the server's. */
export function currencyName(code: string): string | null {
  return Object.hasOwn(names, code) ? (names[code] ?? null) : null
}
