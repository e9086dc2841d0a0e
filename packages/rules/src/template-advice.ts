import { parsePlaceholders } from '@parley/contracts/templates/placeholder-pieces'
import { placeProblems } from '@parley/contracts/templates/placeholder-problems'
import { fillPlaceholders } from '@parley/contracts/templates/placeholders'
import type { TemplateAdvice } from '@parley/contracts/templates/template-findings'
import { templateLimits } from '@parley/contracts/templates/template-limits'
import type { JudgedTemplate } from '@parley/contracts/templates/template-problems'
import { isWayOut, namesWayOut } from './consent-commands.ts'

/**
 * Returns what WhatsApp takes, but often rejects in review or gives another category (Meta, template categorisation and common
 * reasons of rejection, and what providers report of them). It blocks nothing: WhatsApp alone decides.
 * @returns each with its field and its reason; none for a template without a message.
 */
export function templateAdvice(content: JudgedTemplate): TemplateAdvice[] {
  // The text of an authentication template is WhatsApp's own.
  if (content.body.trim() === '' || content.category === 'authentication') return []
  return [
    ...categoryAdvice(content),
    ...languageAdvice(content),
    ...lineAdvice('header', content.header),
    ...bodyAdvice(content),
    ...sampleAdvice(content),
    ...lineAdvice('footer', content.footer),
    ...wayOutAdvice(content),
    ...shortLinksOf(content.buttons, []),
    ...(content.cards ?? []).flatMap((card, index) => [
      ...cardAdvice(card.body, ['cards', index, 'body']),
      ...shortLinksOf(card.buttons, ['cards', index]),
    ]),
  ]
}

/** Meta's rules on the places of variables are written for messages; its own cards are short for the variables that they have. */
const cardAdvice = (body: string | undefined, path: TemplateAdvice['path']): TemplateAdvice[] =>
  placeProblems(body ?? '', 'The text of a card')
    .filter(({ rule }) => rule !== 'variables_many')
    .map(({ message }) => ({
      rule: 'card_variables',
      path,
      message: `${message}. WhatsApp refuses this in messages, and may on cards`,
    }))

const shortLinksOf = (buttons: JudgedTemplate['buttons'], of: TemplateAdvice['path']): TemplateAdvice[] =>
  buttons.flatMap(({ url }, index) =>
    url && shortLinkIn(url) ? [shortLink([...of, 'buttons', index, 'url'], url)] : [],
  )

const wordsOfAdvertising: Readonly<Record<string, readonly string[]>> = {
  en: ['% off', 'discount', 'sale', 'special offer', 'limited time', 'coupon', 'promo code', 'voucher', 'cashback'],
  hi: ['छूट', 'ऑफ़र', 'ऑफर', 'कूपन', 'मुफ़्त', 'मुफ्त'],
  es: ['descuento', 'oferta', 'rebajas', 'cupón', 'promoción'],
  fr: ['réduction', 'remise', 'promotion', 'soldes', 'code promo'],
  pt: ['desconto', 'promoção', 'oferta', 'cupom'],
  id: ['diskon', 'promo', 'kupon', 'gratis'],
  ar: ['خصم', 'تخفيض', 'عرض خاص', 'كوبون', 'قسيمة'],
}

function categoryAdvice({ category, language, header, body, buttons }: JudgedTemplate): TemplateAdvice[] {
  if (category !== 'utility') return []
  const text = [header ?? '', body, ...buttons.map((button) => button.text)].join('\n').toLowerCase()
  const known = [...(wordsOfAdvertising['en'] ?? []), ...(wordsOfAdvertising[baseOf(language)] ?? [])]
  const found = known.find((word) => hasWord(text, word))
  if (found === undefined) return []
  const message = `“${found}” reads as advertising: WhatsApp is likely to treat this as marketing, at its price and rules`
  return [{ rule: 'promotional', path: ['category'], message }]
}

/** Matches a word by itself; a sign such as `%` may follow a digit. */
const hasWord = (text: string, word: string): boolean =>
  new RegExp(`${/^\p{L}/u.test(word) ? '(?<![\\p{L}\\p{M}])' : ''}${word}(?![\\p{L}\\p{M}])`, 'u').test(text)

const baseOf = (language: string): string => language.split('_')[0] ?? language

const scripts: Readonly<Record<string, RegExp>> = {
  hi: /\p{Script=Devanagari}/gu,
  mr: /\p{Script=Devanagari}/gu,
  bn: /\p{Script=Bengali}/gu,
  ta: /\p{Script=Tamil}/gu,
  te: /\p{Script=Telugu}/gu,
  gu: /\p{Script=Gujarati}/gu,
  kn: /\p{Script=Kannada}/gu,
  ml: /\p{Script=Malayalam}/gu,
  ur: /\p{Script=Arabic}/gu,
  ar: /\p{Script=Arabic}/gu,
}

function languageAdvice({ language, header, body }: JudgedTemplate): TemplateAdvice[] {
  const text = plainTextOf(`${header ?? ''}\n${body}`).replace(/https?:\S+/g, '')
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const lettersInScript = text.match(scripts[baseOf(language)] ?? /\p{Script=Latin}/gu)?.length ?? 0
  if (letters < 20 || lettersInScript * 3 >= letters) return []
  const message = 'Most of the text is not in this language’s script: WhatsApp rejects a text in another language'
  return [{ rule: 'script', path: ['language'], message }]
}

const plainTextOf = (text: string): string =>
  parsePlaceholders(text)
    .map((piece) => (piece.kind === 'text' ? piece.text : ' '))
    .join('')

function lineAdvice(field: 'header' | 'footer', text = ''): TemplateAdvice[] {
  if (!/[\r\n*]|\p{Extended_Pictographic}/u.test(plainTextOf(text))) return []
  const message = 'WhatsApp often rejects emoji, asterisks and line breaks here: plain words pass'
  return [{ rule: 'decorated_line', path: [field], message }]
}

const maxEmoji = 10

function bodyAdvice({ body, examples }: JudgedTemplate): TemplateAdvice[] {
  const advice = (rule: TemplateAdvice['rule'], message: string): TemplateAdvice => ({ rule, path: ['body'], message })
  const text = plainTextOf(body)
  const cased = text.match(/\p{Lu}|\p{Ll}/gu)?.length ?? 0
  const filled = fillPlaceholders(body, examples).length
  return [
    ...(shortLinkIn(body) ? [shortLink(['body'], body)] : []),
    ...(/(\r?\n[ \t]*){3}/.test(body)
      ? [advice('line_breaks', 'More than two line breaks in a row are often rejected')]
      : []),
    ...((text.match(/\p{Extended_Pictographic}/gu)?.length ?? 0) > maxEmoji
      ? [advice('emoji', `More than ${maxEmoji} emoji are often rejected`)]
      : []),
    ...(cased >= 20 && !/\p{Ll}/u.test(text)
      ? [advice('capitals', 'A message in capitals alone is often rejected')]
      : []),
    ...(/!{2}/.test(text) ? [advice('exclamation', 'Repeated exclamation marks are often rejected: use one')] : []),
    ...(filled > templateLimits.body
      ? [
          advice(
            'filled_length',
            `With its sample values it has ${filled} characters: WhatsApp sends at most ${templateLimits.body}`,
          ),
        ]
      : []),
  ]
}

function sampleAdvice({ examples }: JudgedTemplate): TemplateAdvice[] {
  return Object.entries(examples).flatMap(([key, sample]) => {
    const isAddress = /[^\s@]+@[^\s@]+\.[^\s@]+/.test(sample) && !/@example\./i.test(sample)
    const digits = sample.replace(/[\s().-]/g, '')
    if (!isAddress && !/^\+?\d{10,19}$/.test(digits)) return []
    const message = 'This looks like a real person’s data. Reviewers read it: use an invented value'
    return [{ rule: 'personal_sample', path: ['examples', key], message }]
  })
}

function wayOutAdvice({ category, footer = '', body, buttons, cards = [] }: JudgedTemplate): TemplateAdvice[] {
  const replies = [...buttons, ...cards.flatMap((card) => card.buttons)].flatMap((button) =>
    button.kind === 'quick_reply' ? [button.text] : [],
  )
  if (category !== 'marketing' || replies.some(isWayOut) || namesWayOut(`${body}\n${footer}`)) return []
  const message =
    'Say how to stop these messages, such as “Reply STOP to opt out”. Otherwise people report them as spam'
  return [{ rule: 'no_way_out', path: ['footer'], message }]
}

const shortLinks =
  /(?<![\p{L}\p{N}.-])(bit\.ly|tinyurl\.com|t\.co|goo\.gl|ow\.ly|is\.gd|cutt\.ly|rebrand\.ly|wa\.me|wa\.link)(?=\/|$)/iu
const shortLinkIn = (text: string): string | undefined => shortLinks.exec(text)?.[1]
const shortLink = (path: TemplateAdvice['path'], text: string): TemplateAdvice => ({
  rule: 'short_link',
  path,
  message: `WhatsApp often rejects short links such as ${shortLinkIn(text)}: use your website’s own address`,
})
