import { screen, within } from '@testing-library/react'

/** Finds the card of a list that has this heading. */
export async function cardOf(name: string) {
  const card = (await screen.findByRole('heading', { level: 2, name })).closest('li')
  if (!card) throw new Error(`${name} stands in no card.`)
  return within(card)
}
