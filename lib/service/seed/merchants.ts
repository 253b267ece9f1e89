/** Where seeded cards are used. `price`: cheapest and dearest purchase, in whole units of `currency`. */
export type Merchant = {
  name: string
  mcc: string
  category: string
  country: string
  currency: string
  price: readonly [number, number]
  online?: true
}

type Entry = [name: string, mcc: string, category: string, price: Merchant['price'], online?: true]

const toMerchant = (country: string, currency: string, [name, mcc, category, price, online]: Entry): Merchant => ({
  name,
  mcc,
  category,
  country,
  currency,
  price,
  ...(online ? { online } : {}),
})

const hongKong = (...entry: Entry) => toMerchant('HK', 'HKD', entry)
const unitedStates = (...entry: Entry) => toMerchant('US', 'USD', entry)
const japan = (...entry: Entry) => toMerchant('JP', 'JPY', entry)
const singapore = (...entry: Entry) => toMerchant('SG', 'SGD', entry)
const unitedKingdom = (...entry: Entry) => toMerchant('GB', 'GBP', entry)
const germany = (...entry: Entry) => toMerchant('DE', 'EUR', entry)

/** Categories are the names that ISO 18245 gives the merchant category codes, shortened. */
export const merchants: readonly Merchant[] = [
  hongKong('MTR Octopus top-up', '4111', 'Commuter transport', [100, 500]),
  hongKong('Wellcome Sai Ying Pun', '5411', 'Grocery stores', [40, 620]),
  hongKong('ParknShop Taikoo', '5411', 'Grocery stores', [60, 900]),
  hongKong('Café de Coral Central', '5814', 'Fast food restaurants', [38, 120]),
  hongKong('Tim Ho Wan North Point', '5812', 'Restaurants', [90, 640]),
  hongKong('Fortress World', '5732', 'Electronics stores', [199, 4630]),
  hongKong('Sasa Cosmetics Mong Kok', '5977', 'Cosmetic stores', [80, 760]),
  hongKong('Watsons Causeway Bay', '5912', 'Drug stores and pharmacies', [35, 480]),
  hongKong('HKTaxi', '4121', 'Taxicabs and limousines', [45, 390]),
  hongKong('HKTVmall', '5311', 'Department stores', [120, 1900], true),
  hongKong('Zalora', '5651', 'Family clothing stores', [180, 1400], true),
  hongKong('Deliveroo Hong Kong', '5814', 'Fast food restaurants', [80, 420], true),
  hongKong('Foodpanda', '5814', 'Fast food restaurants', [70, 380], true),
  hongKong('Klook', '4722', 'Travel agencies', [150, 2600], true),
  hongKong('CLP Power', '4900', 'Utilities', [320, 1500], true),
  hongKong('csl Mobile', '4814', 'Telecommunication services', [148, 468], true),
  hongKong('Swindon Book Co', '5942', 'Book stores', [90, 560]),
  hongKong('Cathay Pacific', '3099', 'Airlines', [1280, 6400], true),
  hongKong('Regal Airport Hotel', '7011', 'Hotels and resorts', [980, 3200]),
  unitedStates('Amazon Web Services', '7372', 'Computer programming services', [12, 640], true),
  unitedStates('Notion Labs', '5734', 'Computer software stores', [10, 96], true),
  unitedStates('Figma', '5734', 'Computer software stores', [15, 180], true),
  japan('Lawson Shinjuku', '5411', 'Grocery stores', [300, 4800]),
  japan('JR East Suica', '4111', 'Commuter transport', [1000, 10000]),
  singapore('Marina Bay Sands', '7011', 'Hotels and resorts', [180, 780]),
  singapore('Grab', '4121', 'Taxicabs and limousines', [8, 46], true),
  unitedKingdom('Pret A Manger St Pancras', '5814', 'Fast food restaurants', [4, 22]),
  germany('Deutsche Bahn', '4112', 'Passenger railways', [19, 240], true),
]

export const cashMachines = [
  'HSBC Central',
  'Bank of China Wan Chai',
  'Hang Seng Mong Kok',
  'Standard Chartered Sha Tin',
]

/** Units of HKD for one unit of the currency, in ten-thousandths: what seeded purchases abroad were converted with. */
export const hkdTenThousandths: Record<string, number> = {
  HKD: 10_000,
  USD: 78_000,
  EUR: 85_000,
  GBP: 101_000,
  SGD: 58_500,
  JPY: 520,
}
