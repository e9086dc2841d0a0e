import { type ConsentSettings, longestConsentWord } from '@parley/contracts/consent'
import { foldText } from '../../search-text.ts'

export type ConsentCommand = 'stop' | 'stopAll' | 'start'
type Words = Pick<ConsentSettings, ConsentCommand>

const fold = (text: string): string =>
  foldText(text)
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

/** Whether a text is short enough to be a command at all. */
export const mayBeCommand = (text: string): boolean => text.trim().length <= longestConsentWord

/**
 * The command that a message is, as a whole: "Stop!" is one, "stop by the shop" is none. Case, accents, punctuation and emoji do
 * not matter.
 */
export function commandOf(texts: readonly string[], words: Words): ConsentCommand | undefined {
  const found = new Set(texts.filter(mayBeCommand).map(fold))
  found.delete('')
  return (['stopAll', 'stop', 'start'] as const).find((command) => words[command].some((word) => found.has(fold(word))))
}
