import { parsePlaceholders, placeholderPattern, type TextPiece } from './placeholder-pieces.ts'
import { isNumber, placeholdersOf, type TemplateTexts, writtenPlaceholders } from './placeholders.ts'
import type { TemplateProblem } from './template-findings.ts'

/**
 * Returns what WhatsApp refuses about a template's placeholders: both kinds mixed, numbers with gaps, a placeholder at the edge
 * of the body or next to another, too many for the length of the text (errors 2388293 and 2388299), more than one in the header,
 * any in the footer, and in a web address any but one at its end.
 */
export function placeholderProblems(template: TemplateTexts): TemplateProblem[] {
  const { header = '', body, footer = '', buttons } = template
  const problems: TemplateProblem[] = [
    ...malformed(header, 'header'),
    ...malformed(body, 'body'),
    ...placeProblems(body, 'The message'),
    ...sequenceProblems(template),
  ]
  if (placeholdersOf(header).length > 1)
    problems.push({ rule: 'header_variables', path: ['header'], message: 'A header can contain one variable' })
  if (/\{\{|\}\}/.test(footer))
    problems.push({ rule: 'footer_variable', path: ['footer'], message: 'A footer cannot contain variables' })
  return [...problems, ...linkProblems(buttons)]
}

/** Returns the buttons whose web address has more than one variable, or has it elsewhere than at its end. */
export const linkProblems = (buttons: TemplateTexts['buttons']): TemplateProblem[] =>
  buttons.flatMap(({ url = '' }, index) => {
    const pieces = parsePlaceholders(url)
    const places = pieces.flatMap((piece, place) => (piece.kind === 'placeholder' ? [place] : []))
    if (places.length === 0 || (places.length === 1 && places[0] === pieces.length - 1)) return []
    const message = 'A URL can contain one variable, at its end'
    return [{ rule: 'url_variable', path: ['buttons', index, 'url'], message }]
  })

/** Returns whether what looks like a variable is none. */
export function malformed(text: string, field: string): TemplateProblem[] {
  const rest = text.replace(placeholderPattern, '')
  if (!/\{\{|\}\}/.test(rest)) return []
  return [
    {
      rule: 'placeholder_form',
      path: [field],
      message: 'A variable is {{1}} or {{first_name}}: a number, or lower-case letters, digits and _',
    },
  ]
}

function sequenceProblems(template: TemplateTexts): TemplateProblem[] {
  const keys = writtenPlaceholders(template)
  const numbers = keys.filter(isNumber).map(Number)
  if (numbers.length > 0 && numbers.length < keys.length)
    return [
      { rule: 'placeholder_kinds', path: ['body'], message: 'Use either numbered variables or named ones, not both' },
    ]
  const gap = numbers.findIndex((number, index) => number !== index + 1)
  if (gap === -1) return []
  const message = `Number the variables without gaps: {{${gap + 1}}} is missing`
  return [{ rule: 'placeholder_gap', path: ['body'], message }]
}

/**
 * Returns what is wrong with the places of a text's variables, and with their number.
 * @param what the text as a sentence about it begins: `The message`.
 */
export function placeProblems(body: string, what: string): TemplateProblem[] {
  const pieces = parsePlaceholders(body.trim())
  const count = pieces.filter(({ kind }) => kind === 'placeholder').length
  if (count === 0) return []
  const problem = (rule: TemplateProblem['rule'], message: string): TemplateProblem[] => [
    { rule, path: ['body'], message },
  ]
  // Punctuation alone at an edge does not help at WhatsApp.
  const hasWords = (piece: TextPiece | undefined) => piece?.kind === 'text' && /[\p{L}\p{N}\p{S}]/u.test(piece.text)
  if (!hasWords(pieces[0])) return problem('variable_edge', `${what} cannot begin with a variable: put words before it`)
  if (!hasWords(pieces.at(-1)))
    return problem('variable_edge', `${what} cannot end with a variable: put words after it`)
  const isGap = (piece: TextPiece) => piece.kind === 'text' && piece.text.trim() === ''
  const touching = pieces
    .filter((piece) => !isGap(piece))
    .some((piece, index, all) => piece.kind === 'placeholder' && all[index + 1]?.kind === 'placeholder')
  if (touching)
    return problem('variables_adjacent', 'Two variables cannot stand next to each other: put words between them')
  const words = wordsIn(body.replace(placeholderPattern, ' '))
  const least = 2 * count + 1
  return words < least
    ? problem(
        'variables_many',
        `${what} is too short for ${count === 1 ? 'a variable' : `${count} variables`}: use at least ${least} words`,
      )
    : []
}

/** Counts words, also in scripts that write no spaces between them, like Chinese, Japanese and Thai. */
function wordsIn(text: string): number {
  const runs = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return [...segmenter.segment(runs.join(' '))].filter(({ isWordLike }) => isWordLike).length
}
const segmenter = new Intl.Segmenter('en', { granularity: 'word' })
