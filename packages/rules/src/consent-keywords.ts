import { wordsOfAsiaAndAfrica } from './consent-keywords-asia-africa.ts'
import { wordsOfEurope } from './consent-keywords-europe.ts'
import type { LanguageKeywords } from './language-keywords.ts'

/**
 * Keywords by language. Words that are everyday words elsewhere are left out, because a message does not say its language:
 * Swahili “acha” is a Hindi “all right”, Finnish “seis” a Spanish six, Turkish “red” a colour, Spanish “no más” ends an order.
 */
export const consentKeywords: Readonly<Record<string, LanguageKeywords>> = { ...wordsOfEurope, ...wordsOfAsiaAndAfrica }
