import { wordsOfAsiaAndAfrica } from './consent-words-asia-africa.ts'
import { wordsOfEurope } from './consent-words-europe.ts'
import type { LanguageWords } from './language-words.ts'

/**
 * By language. No word stands here that is an everyday word elsewhere, because a message does not say its language: Swahili “acha”
 * is a Hindi “all right”, Finnish “seis” a Spanish six, Turkish “red” a colour, Spanish “no más” ends an order.
 */
export const consentWords: Readonly<Record<string, LanguageWords>> = { ...wordsOfEurope, ...wordsOfAsiaAndAfrica }
