const gramLength = 4

/**
 * Returns the keys that a phone number is found by: every four digits in a row, and the one, two and three at its end, so that
 * three digits begin one of these wherever they stand.
 */
export function gramsOf(phone: string): string[] {
  const digits = phone.replaceAll(/\D/g, '')
  return [...new Set(Array.from(digits, (_, index) => digits.slice(index, index + gramLength)))]
}

/** The grams of digits that are looked for; shorter ones have none. */
export const wholeGramsOf = (digits: string): string[] => gramsOf(digits).filter((gram) => gram.length === gramLength)
