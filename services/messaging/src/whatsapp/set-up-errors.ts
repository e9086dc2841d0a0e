import { type KnownError, known } from './known-error.ts'

/** A refusal of a change of templates, numbers or accounts that has no words of its own here. */
export const setUpRefused = known(
  'bad_request',
  'WhatsApp did not accept the change',
  'Read WhatsApp’s own words in the details and change what they name.',
)
const templateRefused = (title: string, advice: string) => known('fix_template', title, advice)

/** Refusals of templates, as codes or as subcodes of 100. Source: Meta, WhatsApp Business Management API, error codes. */
export const setUpErrors: Readonly<Record<number, KnownError>> = {
  2388019: templateRefused('The account has as many templates as it may have', 'Delete templates that nobody uses.'),
  2388024: templateRefused('There is a template of this name and language', 'Choose another name or language.'),
  2388039: templateRefused(
    'The template cannot be edited now',
    'Wait until its review or the day is over, then edit it again.',
  ),
  2388040: templateRefused('A part of the template is too long', 'Shorten the part that WhatsApp names.'),
  2388047: templateRefused(
    'The header has a wrong format',
    'Use one variable at most, and no emoji, asterisks or line breaks.',
  ),
  2388072: templateRefused('The body has a wrong format', 'Check its variables, line breaks and spaces.'),
  2388073: templateRefused('The footer has a wrong format', 'Use plain words without variables or line breaks.'),
  2388293: templateRefused(
    'The body has too many variables for its length',
    'Write more words, or use fewer variables.',
  ),
  2388299: templateRefused('A variable stands at the edge of the body', 'Put words before and after it.'),
}
