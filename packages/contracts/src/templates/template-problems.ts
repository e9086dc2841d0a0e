import { placeholderProblems } from './placeholder-problems.ts'
import { type TemplateTexts, templatePlaceholders } from './placeholders.ts'
import { type Authentication, authenticationTexts, maxCode } from './template-authentication.ts'
import type { TemplateProblem } from './template-findings.ts'
import { headerFileProblem, type JudgedHeader, missingHeader } from './template-headers.ts'
import { templateLimits } from './template-limits.ts'

interface JudgedButton {
  readonly kind: string
  readonly text: string
  readonly url?: string | undefined
  readonly tracked?: string | undefined
  readonly phone?: string | undefined
  readonly code?: string | undefined
}

/** Parts of a template that are checked: the fields that a person writes. */
export interface JudgedTemplate extends TemplateTexts {
  readonly category: string
  readonly language: string
  readonly buttons: readonly JudgedButton[]
  readonly headerMedia?: JudgedHeader | undefined
  readonly authentication?: Authentication | undefined
  readonly examples: Readonly<Record<string, string>>
}

/**
 * Returns what WhatsApp refuses of a template beyond lengths (Cloud API, message templates: components): placeholders that break
 * its rules, sample values that are missing or cannot be sent, buttons that cannot stand together, addresses and phone numbers
 * that lead nowhere, and own words in an authentication template.
 * @returns each with its field, in the order of the form.
 */
export function templateProblems(content: JudgedTemplate): TemplateProblem[] {
  // Its text is WhatsApp's own, which follows other rules.
  if (content.category === 'authentication') return [...categoryProblems(content), ...sampleProblems(content)]
  return [
    ...headerProblems(content),
    ...placeholderProblems(content),
    ...sampleProblems(content),
    ...kindProblems(content.buttons),
    ...content.buttons.flatMap(buttonProblems),
  ]
}

/** The text is WhatsApp's, with nothing of ours beside it. */
function categoryProblems(content: JudgedTemplate): TemplateProblem[] {
  const { header, headerMedia, body, footer, buttons, authentication } = content
  const texts = authentication && authenticationTexts(authentication)
  const isOwn = texts?.body !== body || (texts.footer ?? '') !== (footer ?? '')
  if (!isOwn && !header && !headerMedia && buttons.length === 0) return []
  const message = 'WhatsApp writes the text of authentication templates itself: choose what it says'
  return [{ rule: 'authentication_text', path: ['category'], message }]
}

function headerProblems({ header, headerMedia }: JudgedTemplate): TemplateProblem[] {
  if (!headerMedia) return []
  const problem = (rule: TemplateProblem['rule'], message: string | undefined): TemplateProblem[] =>
    message === undefined ? [] : [{ rule, path: ['headerMedia'], message }]
  return [
    ...problem('header_two', header ? 'A header is a text or a file, not both' : undefined),
    ...problem('header_sample', missingHeader(headerMedia)),
    ...problem('header_file', headerFileProblem(headerMedia)),
  ]
}

function sampleProblems(content: JudgedTemplate): TemplateProblem[] {
  return templatePlaceholders(content).flatMap((key) => {
    const sample = content.examples[key]?.trim() ?? ''
    const problem = (rule: TemplateProblem['rule'], message: string) => [{ rule, path: ['examples', key], message }]
    if (sample === '') return problem('sample_missing', 'Enter a sample value')
    // The rule that holds for the values of a send (errors 132012 and 132018).
    if (/[\r\n\t]| {5}/.test(sample))
      return problem('sample_form', 'A value cannot contain line breaks, tabs or more than four spaces in a row')
    if (sample.length > maxCode && isCode(content, key))
      return problem('sample_form', `A code has at most ${maxCode} characters`)
    return []
  })
}

/** Returns whether a variable is the code that customers copy. */
const isCode = ({ category, buttons }: JudgedTemplate, key: string): boolean =>
  category === 'authentication' || buttons.some(({ code }) => code === `{{${key}}}`)

function kindProblems(buttons: readonly JudgedButton[]): TemplateProblem[] {
  const problem = (rule: TemplateProblem['rule'], message: string) => [{ rule, path: ['buttons'], message }]
  const count = (kind: 'url' | 'phone' | 'copy_code') => buttons.filter((button) => button.kind === kind).length
  const kinds = buttons.map(({ kind }) => (kind === 'quick_reply' ? 'reply' : 'other'))
  const groups = kinds.filter((kind, index) => kind === 'reply' && kind !== kinds[index - 1]).length
  return [
    ...(count('url') > templateLimits.urlButtons
      ? problem('url_count', `At most ${templateLimits.urlButtons} buttons open a website`)
      : []),
    ...(count('phone') > templateLimits.phoneButtons
      ? problem('phone_count', 'At most one button calls a phone number')
      : []),
    ...(count('copy_code') > templateLimits.copyCodeButtons
      ? problem('code_count', 'At most one button copies a code')
      : []),
    ...(groups > 1 ? problem('replies_apart', 'Quick replies stand together, before or after the other buttons') : []),
  ]
}

function buttonProblems(button: JudgedButton, index: number, all: readonly JudgedButton[]): TemplateProblem[] {
  const problem = (rule: TemplateProblem['rule'], field: 'text' | 'url' | 'phone' | 'code', message: string) => [
    { rule, path: ['buttons', index, field], message },
  ]
  const text = wordsOf(button)
  return [
    ...(/\{\{|\}\}/.test(text) ? problem('button_variable', 'text', 'A button’s text cannot contain variables') : []),
    ...(text !== '' && all.findIndex((other) => wordsOf(other) === text) < index
      ? problem('button_text_twice', 'text', 'Another button has this text: each button needs its own')
      : []),
    ...(isAddressOfMachine(button.url)
      ? problem('url_ip', 'url', 'WhatsApp refuses IP addresses: use the name of your website')
      : []),
    ...(button.tracked !== undefined && !hasFixedHost(button.url)
      ? problem(
          'url_host_variable',
          'url',
          'A variable stands after the name of your website, as in https://example.com/{{1}}',
        )
      : []),
    ...(button.kind === 'phone' && !/^\+[1-9]\d{6,14}$/.test(button.phone ?? '')
      ? problem('phone_form', 'phone', 'Enter a phone number with its country code')
      : []),
    ...(button.kind === 'copy_code' && !isCodeOrVariable(button.code)
      ? problem('code_form', 'code', `Enter a code of at most ${maxCode} characters, or one variable: {{code}}`)
      : []),
  ]
}

const wordsOf = ({ text }: JudgedButton): string => text.trim().toLowerCase()

function isAddressOfMachine(url = ''): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  return /^\d+(\.\d+){3}$|^\[/.test(host)
}

const isCodeOrVariable = (code = ''): boolean =>
  /^\{\{([a-z][a-z0-9_]{0,63}|[1-9]\d{0,2})\}\}$/.test(code) ||
  (code.trim() !== '' && code.length <= maxCode && !/[{}\r\n\t]/.test(code))

/** Nothing that is filled in can lead to another website. */
const hasFixedHost = (url = ''): boolean => !url.includes('{{') || /^https?:\/\/[^/?#\\{]+[/?#]/i.test(url)
