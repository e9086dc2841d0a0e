const gramLength = 4

/** Every four digits in a row of a phone number: by them any part of it is found. Shorter texts have none. */
export function gramsOf(phone: string): string[] {
  const digits = phone.replaceAll(/\D/g, '')
  const count = Math.max(0, digits.length - gramLength + 1)
  return [...new Set(Array.from({ length: count }, (_, index) => digits.slice(index, index + gramLength)))]
}
