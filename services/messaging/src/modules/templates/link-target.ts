import { parsePlaceholders } from '@parley/contracts/templates/placeholder-pieces'
import type { Template } from '@parley/contracts/templates/templates'

/**
 * Returns the target of a counted link: the author's address, with its variable filled in as WhatsApp does.
 * @param values by placeholder; one that is missing is left empty.
 * @returns an http(s) address of the website that the author named; without the variable where a value would lead elsewhere, and
 * empty for what is no web address.
 */
export function linkTarget(url: string, values: Readonly<Record<string, string>>): string {
  const pieces = parsePlaceholders(url)
  const filledValue = (key: string) => (Object.hasOwn(values, key) ? (values[key] ?? '') : '')
  const filled = pieces.map((piece) => (piece.kind === 'text' ? piece.text : filledValue(piece.key))).join('')
  const [website, target] = [parsed(pieces[0]?.kind === 'text' ? pieces[0].text : ''), parsed(filled)]
  if (!website) return ''
  return target?.origin === website.origin ? target.href : website.href
}

function parsed(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

/** Returns the targets of a message's counted links, by the positions of their buttons. */
export const linksOf = ({ buttons }: Pick<Template, 'buttons'>, values: Readonly<Record<string, string>>) =>
  buttons.flatMap((button, index) =>
    button.kind === 'url' && button.tracked !== undefined ? [{ index, url: linkTarget(button.url, values) }] : [],
  )
