/** Phrases by which people of one language refuse further messages, each a list with commas. */
export interface LanguageKeywords {
  /** End messages as a whole message, or on a button; within a sentence they mean other things. */
  readonly stop: string
  /** Mean nothing else, wherever they stand. */
  readonly leave?: string
  /** End messages as a whole typed message; on a button they may cancel or close something else, unless it names an object. */
  readonly whole?: string
  /** End notices too, not marketing alone. */
  readonly all?: string
  /** Allow messages again after an opt-out. */
  readonly start: string
  /** May stand before and after any of them. */
  readonly courtesy: string
  /** Express a wish: “I want to cancel” may be an order, “I want to unsubscribe” is none. */
  readonly wants?: string
  /** Objects that a button may name: “Stop promotions”. */
  readonly objects?: string
  /** Words between a stop word and its object: “Stop receiving these”. */
  readonly fillers?: string
  /** Parts of longer texts that ask for no more messages. */
  readonly asks?: string
  /** Parts of longer texts in which a stop word asks for nothing. */
  readonly unless?: string
}
