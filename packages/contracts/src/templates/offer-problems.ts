import { placeholdersOf } from './placeholders.ts'
import type { JudgedButton } from './template-buttons.ts'
import type { TemplateProblem } from './template-findings.ts'
import { offerEndsKey, offerLimits } from './template-offers.ts'

/**
 * Returns what WhatsApp refuses of a limited-time offer. Source: Meta, limited-time offer templates: marketing alone, no footer, a
 * picture or video or nothing above it, a website's button, and a code's button before that, which an end of the offer needs.
 */
export function offerProblems({
  offer,
  category,
  header,
  headerMedia,
  body,
  footer,
  buttons,
}: {
  readonly offer?: { readonly text: string; readonly hasExpiration: boolean } | undefined
  readonly category: string
  readonly header?: string | undefined
  readonly headerMedia?: { readonly kind: string } | undefined
  readonly body: string
  readonly footer?: string | undefined
  readonly buttons: readonly JudgedButton[]
}): TemplateProblem[] {
  if (!offer) return []
  const problem = (rule: TemplateProblem['rule'], path: TemplateProblem['path'], message: string) => [
    { rule, path, message },
  ]
  const { text, hasExpiration } = offer
  const kinds = buttons.map(({ kind }) => kind)
  const hasOthers = kinds.some((kind) => kind !== 'copy_code' && kind !== 'url')
  const hasOtherHeader =
    Boolean(header) || (headerMedia && headerMedia.kind !== 'image' && headerMedia.kind !== 'video')
  const where = ['offer', 'text']
  return [
    ...(text.trim() === '' ? problem('offer_text', where, 'Enter what is offered') : []),
    ...(text.trim().length > offerLimits.text
      ? problem('offer_text', where, `At most ${offerLimits.text} characters`)
      : []),
    ...(/\{\{|\}\}/.test(text) ? problem('offer_text', where, 'The words of an offer cannot contain variables') : []),
    ...(category === 'marketing'
      ? []
      : problem('marketing_only', ['category'], 'WhatsApp takes a limited-time offer in marketing alone')),
    ...(footer ? problem('offer_parts', ['footer'], 'A limited-time offer has no footer') : []),
    ...(hasOtherHeader
      ? problem(
          'offer_parts',
          [header ? 'header' : 'headerMedia'],
          'Above an offer stands a picture, a video or nothing',
        )
      : []),
    ...(body.trim().length > offerLimits.body
      ? problem('offer_parts', ['body'], `The message of an offer has at most ${offerLimits.body} characters`)
      : []),
    ...(placeholdersOf(header, body).includes(offerEndsKey)
      ? problem('offer_parts', ['body'], `{{${offerEndsKey}}} is the end of the offer: use another name in the text`)
      : []),
    ...(hasOthers || kinds.filter((kind) => kind === 'url').length !== 1
      ? problem('offer_buttons', ['buttons'], 'An offer has one button to a website, and one with a code before it')
      : []),
    ...(hasExpiration && !kinds.includes('copy_code')
      ? problem('offer_buttons', ['buttons'], 'An offer that ends needs a button that copies its code')
      : []),
    ...(kinds.includes('copy_code') && kinds[0] !== 'copy_code'
      ? problem('offer_buttons', ['buttons'], 'The button with the code stands first')
      : []),
  ]
}
