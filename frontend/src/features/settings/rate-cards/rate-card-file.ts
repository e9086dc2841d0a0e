import type { Rate } from '@parley/contracts/usage/rate-cards'
import { countryOptions } from '../../../lib/mobile.ts'

/** Prices of one market of Meta's rate card, in micros of the card's currency; absent where the card says `n/a`. */
export interface MarketPrices {
  /** As the file names it: a country, or a group such as `Rest of Africa`. */
  readonly market: string
  /** ISO 3166-1 alpha-2, or `other`. A country with a row of its own is in no group. */
  readonly countries: readonly string[]
  readonly prices: Readonly<Partial<Record<Rate['category'], number>>>
  /** Price of an authentication message to the market from a business in another country. */
  readonly international?: number
}

export interface RateCardFile {
  /** ISO 4217; undefined where the file names none or several. */
  readonly currency: string | undefined
  readonly markets: readonly MarketPrices[]
  /** Markets that no country is known for. */
  readonly unknown: readonly string[]
}

/** A file that is no rate card, in words for the person who chose it. */
export class NotARateCard extends Error {}

/** Meta's groups of countries, as its price list names their members ("Country calling codes", July 2026). */
const groups: Readonly<Record<string, string>> = {
  'north america': 'CA US',
  'rest of africa':
    'DZ AO BJ BW BF BI CM TD CG ER ET GA GM GH GW CI KE LS LR LY MG MW ML MR MA MZ NA NE RW SN SL SO SS SD SZ TZ TG TN UG ZM ZW',
  'rest of asia pacific': 'AF AU BD KH CN HK JP LA MN NP NZ PG PH SG LK TW TJ TH TM UZ VN',
  'rest of central & eastern europe': 'AL AM AZ BY BG HR CZ GE GR HU LV LT MD MK PL RO RS SK SI UA',
  'rest of latin america': 'BO CR DO EC SV GT HT HN JM NI PA PY PR UY VE',
  'rest of middle east': 'BH IQ JO KW LB OM QA YE',
  'rest of western europe': 'AT BE DK FI IE NO PT SE CH',
  other: 'other',
}

/** Names in Meta's files that differ from those of Unicode's English list. */
const aliases: Readonly<Record<string, string>> = {
  'bosnia and herzegovina': 'BA',
  'czech republic': 'CZ',
  'hong kong': 'HK',
  'ivory coast': 'CI',
  macao: 'MO',
  macau: 'MO',
  myanmar: 'MM',
  palestine: 'PS',
  'republic of the congo': 'CG',
  swaziland: 'SZ',
  turkey: 'TR',
}

const fileCategories = ['marketing', 'utility', 'authentication', 'service'] as const

/** `Authentication-\nInternational ` and `authentication international` are one column. */
const columnOf = (cell: string): string => cell.toLowerCase().replace(/[^a-z]/g, '')

/**
 * Reads a rate card as Meta publishes it for each currency: lines of notes, a line of titles, and a line per market.
 * @param rows cells of the file's lines.
 * @throws {NotARateCard}
 */
export function readRateCard(rows: readonly (readonly string[])[]): RateCardFile {
  const start = rows.findIndex((row) => row.map(columnOf).includes('market'))
  const titles = (rows[start] ?? []).map(columnOf)
  if (!fileCategories.some((category) => titles.includes(category)))
    throw new NotARateCard(
      'This is not a rate card: it has no columns Market, Marketing, Utility and Authentication. Choose the CSV file of base rates from Meta’s price list.',
    )
  const cell = (row: readonly string[], title: string) => row[titles.indexOf(title)]?.trim() ?? ''
  const named = rows.slice(start + 1).filter((row) => cell(row, 'market') !== '')
  const own = new Map(named.map((row) => [cell(row, 'market'), countriesOf(cell(row, 'market'))]))
  const single = new Set([...own.values()].flatMap((countries) => (countries.length === 1 ? countries : [])))
  const markets = named.flatMap((row): MarketPrices[] => {
    const market = cell(row, 'market')
    const all = own.get(market) ?? []
    const countries = all.length > 1 ? all.filter((country) => !single.has(country)) : all
    const international = microsOf(cell(row, 'authenticationinternational'), market)
    const prices = Object.fromEntries(
      fileCategories.flatMap((category) => {
        const micros = microsOf(cell(row, category), market)
        return micros === undefined ? [] : [[category, micros]]
      }),
    )
    return countries.length > 0 && Object.keys(prices).length > 0
      ? [{ market, countries, prices, ...(international !== undefined && { international }) }]
      : []
  })
  if (markets.length === 0) throw new NotARateCard('This rate card has no line with a market and a price.')
  const currencies = new Set(named.flatMap((row) => currencyOf(cell(row, 'currency')) ?? []))
  return {
    currency: currencies.size === 1 ? [...currencies][0] : undefined,
    markets,
    unknown: [...own].flatMap(([market, countries]) => (countries.length === 0 ? [market] : [])),
  }
}

/** The rates of a card. @param home country of the business: authentication messages to others have their international price. */
export const ratesOf = (markets: readonly MarketPrices[], home: string): Rate[] =>
  markets.flatMap(({ countries, prices, international }) =>
    countries.flatMap((country) =>
      fileCategories.flatMap((category) => {
        const abroad = category === 'authentication' && country !== home ? international : undefined
        const priceMicros = abroad ?? prices[category]
        return priceMicros === undefined ? [] : [{ country, category, priceMicros }]
      }),
    ),
  )

/** Returns the categories of which a file has prices. */
export const categoriesOf = (markets: readonly MarketPrices[]) =>
  fileCategories.filter((category) => markets.some(({ prices }) => prices[category] !== undefined))

let codes: ReadonlyMap<string, string> | undefined

/** Returns the countries of a market; none where it is not known. */
function countriesOf(market: string): readonly string[] {
  const name = market.toLowerCase().replace(/\s+/g, ' ').replace(' and eastern', ' & eastern')
  const group = groups[name]
  if (group !== undefined) return group.split(' ')
  codes ??= new Map(countryOptions('en').map(({ name: english, value }) => [english.toLowerCase(), value]))
  const country = aliases[name] ?? codes.get(name)
  return country === undefined ? [] : [country]
}

/** `$US` is how the files write US dollars; others are `INR`, `€EUR` or `Rp IDR`. */
function currencyOf(cell: string): string | undefined {
  if (/\$\s*US|US\s*\$/.test(cell)) return 'USD'
  return /[A-Z]{3}/.exec(cell)?.[0]
}

/** @returns undefined for `n/a` and the like. @throws {NotARateCard} for what is no price. */
function microsOf(cell: string, market: string): number | undefined {
  const text = cell.replace(/[^\d.,]/g, '').replace(',', '.')
  if (text === '') return undefined
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text)) throw new NotARateCard(`“${cell}” is not a price (${market}).`)
  return Math.round(Number(text) * 1_000_000)
}
