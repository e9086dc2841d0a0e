/**
 * Lengths in characters (Cloud API, message templates): the text as it is written, with its placeholders' braces and line
 * breaks. Meta does not say how it counts an emoji; UTF-16 units, two or more for each, never let a text through that it refuses.
 */
export const templateLimits = {
  name: 512,
  headerText: 60,
  body: 1024,
  footer: 60,
  buttons: 10,
  urlButtons: 2,
  buttonText: 25,
  url: 2000,
  /** Ours: the address that replaces one whose visits are counted, without its token. */
  trackedUrl: 200,
  phone: 20,
  code: 15,
  /** Name of a form's screen. */
  screen: 80,
  /** Minutes in 30 days. */
  callMinutes: 43_200,
  /** Content ID of a product. */
  product: 100,
  sections: 10,
  sectionTitle: 24,
  /** Products of all sections together. */
  products: 30,
  /** Length of a variable: no part that it fills takes more. */
  value: 2000,
} as const
