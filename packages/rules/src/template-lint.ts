import type { TemplateFinding, TemplateProblem } from '@parley/contracts/templates/template-findings'
import { templateLimits } from '@parley/contracts/templates/template-limits'
import { type JudgedTemplate, templateProblems } from '@parley/contracts/templates/template-problems'
import { accountAdvice, accountProblems, type LintFacts } from './template-account.ts'
import { templateAdvice } from './template-advice.ts'

/**
 * Everything that is wrong or doubtful about a template, which the editor and the server find alike. Errors stop it from being
 * sent for review; warnings are accepted by the person who sends it.
 * @param facts of the account; the editor judges the text before it knows them.
 */
export function lintTemplate(
  content: JudgedTemplate & { readonly name: string },
  facts?: LintFacts,
): TemplateFinding[] {
  const problems = [
    ...formProblems(content),
    ...templateProblems(content),
    ...(facts ? accountProblems(content, facts) : []),
  ]
  const advice = [...templateAdvice(content), ...(facts ? accountAdvice(content, facts) : [])]
  return [
    ...problems.map((problem) => ({ ...problem, level: 'error' as const })),
    ...advice.map((one) => ({ ...one, level: 'warning' as const })),
  ]
}

/** Returns what is left empty or is too long (error 2388040), by the schemas of templates. */
function formProblems({
  name,
  header,
  body,
  footer,
  buttons,
  cards = [],
}: JudgedTemplate & { name: string }): TemplateProblem[] {
  return [
    ...required(['name'], name, 'Enter a name'),
    ...longest(['name'], name, templateLimits.name),
    ...(/^[a-z0-9_]*$/.test(name)
      ? []
      : [
          {
            rule: 'name_form' as const,
            path: ['name'],
            message: 'Use lower-case letters, digits and underscores only',
          },
        ]),
    ...longest(['header'], header, templateLimits.headerText),
    ...required(['body'], body, 'Enter the message'),
    ...longest(['body'], body, templateLimits.body),
    ...longest(['footer'], footer, templateLimits.footer),
    ...(buttons.length > templateLimits.buttons
      ? [{ rule: 'button_count' as const, path: ['buttons'], message: `At most ${templateLimits.buttons} buttons` }]
      : []),
    ...buttonsForm(buttons),
    ...cards.flatMap((card, index) =>
      buttonsForm(card.buttons).map((problem) => ({ ...problem, path: ['cards', index, ...problem.path] })),
    ),
  ]
}

const required = (path: TemplateProblem['path'], text: string, message: string): TemplateProblem[] =>
  text.trim() === '' ? [{ rule: 'required', path, message }] : []
const longest = (path: TemplateProblem['path'], text: string | undefined, most: number): TemplateProblem[] =>
  (text?.trim().length ?? 0) > most ? [{ rule: 'too_long', path, message: `At most ${most} characters` }] : []

const buttonsForm = (buttons: JudgedTemplate['buttons']): TemplateProblem[] =>
  buttons.flatMap((button, index) => [
    ...required(['buttons', index, 'text'], button.text, 'Enter the button’s text'),
    ...longest(['buttons', index, 'text'], button.text, templateLimits.buttonText),
    ...longest(['buttons', index, 'url'], button.url, templateLimits.url),
    ...longest(['buttons', index, 'phone'], button.phone, templateLimits.phone),
    ...(button.kind === 'url' && !isWebAddress(button.url)
      ? [{ rule: 'url_form' as const, path: ['buttons', index, 'url'], message: 'Enter a web address' }]
      : []),
  ])

const isWebAddress = (url = ''): boolean => /^https?:\/\//.test(url) && URL.canParse(url)
