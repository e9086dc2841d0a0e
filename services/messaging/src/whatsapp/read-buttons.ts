import { buttonTexts, type TemplateButton } from '@parley/contracts/templates/template-buttons'
import { templateLimits } from '@parley/contracts/templates/template-limits'
import type { TemplateContent } from '@parley/contracts/templates/templates'
import { z } from 'zod'
import { type AtWhatsApp, text } from './component-schema.ts'
import type { Keys } from './read-keys.ts'

/** The part of our own template that is used in reading buttons. */
type Ours = Pick<TemplateContent, 'buttons' | 'examples'>

/** Reads buttons; what they show or lead to may be known here alone. @param there all buttons below the text. */
export function createReadButton(ours: Ours, there: readonly AtWhatsApp[], keys: Keys) {
  const linkFor = linksOf(ours.buttons, there)
  const knownOf = <K extends TemplateButton['kind']>(kind: K) =>
    ours.buttons.find((button): button is Extract<TemplateButton, { kind: K }> => button.kind === kind)
  const ownProduct = (product: string) => keys.own(product, ours.examples)

  function readCode(words: string, example: unknown): TemplateButton {
    const known = knownOf('copy_code')
    const sample = z
      .union([
        text,
        z
          .array(text)
          .min(1)
          .transform(([first = '']) => first),
      ])
      .safeParse(example).data
    const shown = words || buttonTexts.copy_code
    if (known) return { ...known, text: shown, code: keys.own(known.code, ours.examples, sample) }
    return { kind: 'copy_code', text: shown, code: keys.next(sample?.slice(0, 15)) }
  }

  /** Reads a button that opens something in WhatsApp. What it shows is told with each message: it is known here alone. */
  function readAction({ type, text: words, ...rest }: AtWhatsApp): TemplateButton | undefined {
    if (type === 'FLOW') {
      const { flow_id: form, flow_action: action = 'NAVIGATE', navigate_screen: screen } = rest
      // A form that asks a server needs one that answers.
      if (!form || action !== 'NAVIGATE') return undefined
      const known = knownOf('flow')
      // WhatsApp may name the form's own first screen where none was chosen.
      const isOwn = known?.form === form && !known.screen
      return { kind: 'flow', text: words, form, ...(screen && !isOwn && { screen }) }
    }
    if (type === 'VOICE_CALL') {
      const minutes = rest.ttl_minutes ?? knownOf('voice_call')?.minutes
      return { kind: 'voice_call', text: words, ...(minutes !== undefined && { minutes }) }
    }
    if (type === 'CATALOG') {
      const product = knownOf('catalog')?.product
      return { kind: 'catalog', text: words, ...(product && { product: ownProduct(product) }) }
    }
    if (type === 'SPM') return { kind: 'product', text: words }
    if (type !== 'MPM') return undefined
    const known = knownOf('products')
    return known && { ...known, text: words, product: ownProduct(known.product) }
  }

  return function readButton(button: AtWhatsApp): TemplateButton | undefined {
    const { type, text: words, url, phone_number: phone, example } = button
    if (type === 'COPY_CODE') return readCode(words, example)
    if (words === '') return undefined
    const actionButton = readAction(button)
    if (actionButton) return actionButton
    if (type === 'QUICK_REPLY') return { kind: 'quick_reply', text: words }
    if (type === 'PHONE_NUMBER' && phone) return { kind: 'phone', text: words, phone }
    if (type !== 'URL' || !url || !URL.canParse(url)) return undefined
    const link = linkFor(url, words)
    if (link) return { ...link, text: words, url: keys.own(link.url, ours.examples) }
    const [urlExample] = z.array(text).safeParse(example).data ?? []
    const start = url.split('{{')[0] ?? ''
    const suffix = urlExample?.startsWith(start) ? urlExample.slice(start.length) : urlExample
    return {
      kind: 'url',
      text: words,
      url: url.replace(/\{\{1\}\}/, () => keys.next(suffix?.slice(0, templateLimits.value))),
    }
  }
}

/** Finds our counted link for a button at WhatsApp: the one with the same text, or one whose text no button has there. */
function linksOf(ours: Ours['buttons'], there: readonly AtWhatsApp[]) {
  const links = ours.flatMap((button) => (button.kind === 'url' && button.tracked !== undefined ? [button] : []))
  const texts = new Set(there.map(({ text: words }) => words))
  return (url: string, words: string) => {
    const fitting = links.filter(({ tracked }) => url === `${tracked}{{1}}`)
    const link = fitting.find((known) => known.text === words) ?? fitting.find((known) => !texts.has(known.text))
    if (link) links.splice(links.indexOf(link), 1)
    return link
  }
}
