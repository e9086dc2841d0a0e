/** Returns what a quick reply of a card brings back when it is pressed: cards may have equal words. @param card counted from 1. */
export const cardPayload = (card: number, text: string): string => `parley:card:${card}:${text}`

const sent = /^parley:card:([1-9]|10):([\s\S]+)$/

/** Reads a pressed button; one of a card has its own words as its payload, and names the card, counted from 1. */
export function pressedButton<T extends { readonly payload?: string | undefined }>(
  button: T,
): T & { readonly card?: number } {
  const [, card, payload] = sent.exec(button.payload ?? '') ?? []
  return payload === undefined ? button : { ...button, payload, card: Number(card) }
}
