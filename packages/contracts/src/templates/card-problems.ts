import { buttonProblems, buttonsProblems } from './button-problems.ts'
import { linkProblems, malformed } from './placeholder-problems.ts'
import { cardLimits, type JudgedCard } from './template-cards.ts'
import type { TemplateProblem } from './template-findings.ts'
import { headerFileProblem, missingHeader } from './template-headers.ts'

type Rule = TemplateProblem['rule']
type Path = TemplateProblem['path']

interface AroundCards {
  readonly cards?: readonly JudgedCard[] | undefined
  readonly category: string
  readonly header?: string | undefined
  readonly headerMedia?: object | undefined
  readonly offer?: object | undefined
  readonly footer?: string | undefined
  readonly buttons: readonly object[]
}

const found = (rule: Rule, path: Path, message: string): TemplateProblem[] => [{ rule, path, message }]

/**
 * Returns what WhatsApp refuses of a carousel. Source: Meta, media card carousel templates: marketing alone, two to ten cards below
 * a message without other parts, and the same parts on all cards.
 */
export function cardProblems(content: AroundCards): TemplateProblem[] {
  const { cards, category } = content
  if (!cards) return []
  const { min, max } = cardLimits
  return [
    ...(cards.length < min || cards.length > max
      ? found('cards_count', ['cards'], `A carousel has ${min} to ${max} cards`)
      : []),
    ...(category === 'marketing'
      ? []
      : found('marketing_only', ['category'], 'WhatsApp takes a carousel in marketing alone')),
    ...partsBeside(content),
    ...cards.flatMap((card, index) =>
      [...mediaProblems(card, cards), ...bodyProblems(card, cards), ...cardButtonProblems(card, cards, category)].map(
        (problem) => ({ ...problem, path: ['cards', index, ...problem.path] }),
      ),
    ),
  ]
}

const partsBeside = ({ header, headerMedia, offer, footer, buttons }: AroundCards): TemplateProblem[] => [
  ...(header ? found('cards_parts', ['header'], 'A carousel has no header: each card has a picture or a video') : []),
  ...(headerMedia
    ? found('cards_parts', ['headerMedia'], 'A carousel has no header: each card has a picture or a video')
    : []),
  ...(offer ? found('cards_parts', ['offer', 'text'], 'A carousel has no limited-time offer') : []),
  ...(footer ? found('cards_parts', ['footer'], 'A carousel has no footer') : []),
  ...(buttons.length > 0 ? found('cards_parts', ['buttons'], 'The buttons of a carousel stand on its cards') : []),
]

function mediaProblems({ headerMedia }: JudgedCard, [first]: readonly JudgedCard[]): TemplateProblem[] {
  const path = ['headerMedia']
  if (first && headerMedia.kind !== first.headerMedia.kind)
    return found('card_media', path, 'All cards have a picture, or all have a video')
  if (missingHeader(headerMedia) !== undefined)
    return found('card_media', path, `Choose the ${headerMedia.kind === 'video' ? 'video' : 'picture'} of this card`)
  const problem = headerFileProblem(headerMedia)
  return problem === undefined ? [] : found('card_media', path, problem)
}

function bodyProblems({ body = '' }: JudgedCard, cards: readonly JudgedCard[]): TemplateProblem[] {
  const path = ['body']
  const isEmpty = body.trim() === ''
  if (isEmpty && cards.some((card) => card.body?.trim()))
    return found('card_body', path, 'Either all cards have a text, or none has')
  if (body.trim().length > cardLimits.body) return found('card_body', path, `At most ${cardLimits.body} characters`)
  return malformed(body, 'body')
}

const allowed = new Set(['quick_reply', 'url', 'phone'])

function cardButtonProblems(
  { buttons }: JudgedCard,
  [first]: readonly JudgedCard[],
  category: string,
): TemplateProblem[] {
  const path = ['buttons']
  if (buttons.length === 0 || buttons.length > cardLimits.buttons)
    return found('card_buttons', path, 'Each card has one or two buttons')
  if (buttons.some(({ kind }) => !allowed.has(kind)))
    return found('card_buttons', path, 'A card has quick replies, and buttons to a website or a phone number')
  const kindsOf = (card: JudgedCard) => card.buttons.map(({ kind }) => kind).join()
  const isSame = !first || kindsOf(first) === buttons.map(({ kind }) => kind).join()
  return [
    ...(isSame
      ? []
      : found('card_buttons', path, 'All cards have the same kinds of buttons as the first one, in the same order')),
    ...buttonsProblems({ buttons, category }, true),
    ...buttons.flatMap(buttonProblems),
    ...linkProblems(buttons),
  ]
}
