import { placeholdersOf } from '@parley/contracts/templates/placeholders'
import { type Authentication, codeKey } from '@parley/contracts/templates/template-authentication'
import { buttonTexts, type TemplateButton } from '@parley/contracts/templates/template-buttons'
import type { HeaderMedia } from '@parley/contracts/templates/template-headers'
import { templateLimits } from '@parley/contracts/templates/template-limits'
import { offerLimits } from '@parley/contracts/templates/template-offers'
import type { TemplateContent } from '@parley/contracts/templates/templates'
import { z } from 'zod'

const text = z.string().max(4096)
const componentSchema = z.looseObject({
  type: z.string().max(60).toUpperCase(),
  format: z.string().max(40).toUpperCase().optional().catch(undefined),
  text: text.optional().catch(undefined),
  example: z.looseObject({}).optional().catch(undefined),
  limited_time_offer: z
    .looseObject({ text: z.string().min(1).max(offerLimits.text), has_expiration: z.boolean().default(false) })
    .optional()
    .catch(undefined),
  add_security_recommendation: z.boolean().optional().catch(undefined),
  code_expiration_minutes: z.number().int().min(1).max(90).optional().catch(undefined),
  buttons: z
    .array(
      z.looseObject({
        type: z.string().max(60).toUpperCase(),
        text: text.catch(''),
        url: text.optional().catch(undefined),
        phone_number: text.optional().catch(undefined),
        example: z.unknown().optional(),
        flow_id: z
          .union([text, z.number().transform(String)])
          .optional()
          .catch(undefined),
        flow_action: z.string().max(60).toUpperCase().optional().catch(undefined),
        navigate_screen: z.string().max(templateLimits.screen).optional().catch(undefined),
        ttl_minutes: z.number().int().min(1).max(templateLimits.callMinutes).optional().catch(undefined),
        otp_type: z.string().max(60).toUpperCase().optional().catch(undefined),
        supported_apps: z
          .array(z.looseObject({ package_name: z.string().max(224), signature_hash: z.string().max(20) }))
          .optional()
          .catch(undefined),
      }),
    )
    .max(50)
    .optional()
    .catch(undefined),
})
type Component = z.infer<typeof componentSchema>
type AtWhatsApp = NonNullable<Component['buttons']>[number]

/** A template's content, as far as people can write it here, and the parts that they cannot. */
export interface ReadTemplate {
  readonly content: Pick<
    TemplateContent,
    'header' | 'headerMedia' | 'authentication' | 'offer' | 'body' | 'footer' | 'buttons' | 'examples'
  >
  /** Parts that Parley neither edits nor fills in: `product header`, `carousel`. */
  readonly unsupported: readonly string[]
}

/** The part of our own template that is used in reading. */
type Ours = Pick<TemplateContent, 'headerMedia' | 'buttons' | 'examples'>

/**
 * Reads a template as WhatsApp has it. Positional variables begin with 1 in each of its parts; here one set of keys is for the
 * whole template, so those of the header and of web addresses follow the body's.
 * @param ours has what WhatsApp does not know: the addresses that counted links lead to, the code of a button, and the header’s
 * file or place.
 */
export function readComponents(
  components: readonly unknown[],
  ours: Ours = { buttons: [], examples: {} },
): ReadTemplate {
  const known = components.flatMap((component) => componentSchema.safeParse(component).data ?? [])
  const part = (type: string) => known.find((component) => component.type === type)
  const [header, body, footer, buttons] = [part('HEADER'), part('BODY'), part('FOOTER'), part('BUTTONS')]
  const offer = part('LIMITED_TIME_OFFER')?.limited_time_offer
  const authentication = authenticationOf(body, footer, buttons)
  if (authentication && known.length === components.length) {
    const shown = (body?.text ?? '').replace(/\{\{1\}\}/, `{{${codeKey}}}`)
    const example = ours.examples[codeKey] ?? examplesOf('body', body)['1']
    return {
      content: {
        authentication,
        body: shown,
        buttons: [],
        examples: example === undefined ? {} : { [codeKey]: example },
        ...(footer?.text && { footer: footer.text }),
      },
      unsupported: [],
    }
  }
  const headerMedia = headerMediaOf(header, ours.headerMedia)
  const isTextHeader = header !== undefined && (header.format ?? 'TEXT') === 'TEXT'
  const bodyText = body?.text ?? ''
  const examples: Record<string, string> = { ...examplesOf('body', body) }
  const named = placeholdersOf(bodyText, header?.text).some((key) => !/^\d+$/.test(key))
  let last = placeholdersOf(bodyText).length
  const headerText = isTextHeader && header.text !== undefined ? ownKeys(header, named) : undefined
  const linkFor = linksOf(ours.buttons, buttons?.buttons ?? [])
  const read = (buttons?.buttons ?? []).map(readButton)
  const unsupported = [
    ...(header && !isTextHeader && !headerMedia ? [`${wordsOf(header.format ?? '')} header`] : []),
    ...(body?.text === undefined ? ['text that Parley cannot show'] : []),
    ...(buttons && !buttons.buttons ? ['buttons'] : []),
    ...(buttons?.buttons ?? []).flatMap(({ type }, index) => (read[index] ? [] : [`${wordsOf(type)} button`])),
    ...known
      .filter(
        ({ type }) =>
          !['HEADER', 'BODY', 'FOOTER', 'BUTTONS'].includes(type) && !(type === 'LIMITED_TIME_OFFER' && offer),
      )
      .map(({ type }) => wordsOf(type)),
    ...(known.length < components.length ? ['a part that Parley does not know'] : []),
  ]
  return {
    content: {
      body: bodyText,
      ...(headerText && { header: headerText }),
      ...(headerMedia && { headerMedia }),
      ...(offer && { offer: { text: offer.text, hasExpiration: offer.has_expiration } }),
      ...(footer?.text && { footer: footer.text }),
      buttons: read.flatMap((button) => button ?? []),
      examples,
    },
    unsupported: [...new Set(unsupported)],
  }

  /** A header has one variable at most. */
  function ownKeys(component: Component, isNamed: boolean): string {
    const headerExamples = examplesOf('header', component)
    if (isNamed) {
      Object.assign(examples, headerExamples)
      return component.text ?? ''
    }
    return (component.text ?? '').replace(/\{\{\d+\}\}/g, () => nextKey(headerExamples['1']))
  }

  function nextKey(example: string | undefined): string {
    last += 1
    const key = named ? `link_${last}` : String(last)
    if (example !== undefined) examples[key] = example
    return `{{${key}}}`
  }

  function readCode(words: string, example: unknown): TemplateButton {
    const codeButton = ours.buttons.find((button) => button.kind === 'copy_code')
    const codeExample = z
      .union([
        text,
        z
          .array(text)
          .min(1)
          .transform(([first = '']) => first),
      ])
      .safeParse(example).data
    const shown = words || buttonTexts.copy_code
    if (codeButton)
      return {
        ...codeButton,
        text: shown,
        code: codeButton.code.replace(variable, (_, key: string) => nextKey(ours.examples[key] ?? codeExample)),
      }
    return { kind: 'copy_code', text: shown, code: nextKey(codeExample?.slice(0, 15)) }
  }

  /** Reads a button that opens something in WhatsApp. What it shows is told with each message: it is known here alone. */
  function readAction({ type, text: words, ...there }: AtWhatsApp): TemplateButton | undefined {
    if (type === 'FLOW') {
      const { flow_id: form, flow_action: action = 'NAVIGATE', navigate_screen: screen } = there
      // A form that asks a server needs one that answers.
      if (!form || action !== 'NAVIGATE') return undefined
      const known = ours.buttons.find((button) => button.kind === 'flow')
      // WhatsApp may name the form's own first screen where none was chosen.
      const isOwn = known?.form === form && !known.screen
      return { kind: 'flow', text: words, form, ...(screen && !isOwn && { screen }) }
    }
    if (type === 'VOICE_CALL') {
      const minutes = there.ttl_minutes ?? ours.buttons.find((button) => button.kind === 'voice_call')?.minutes
      return { kind: 'voice_call', text: words, ...(minutes !== undefined && { minutes }) }
    }
    if (type === 'CATALOG') {
      const product = ours.buttons.find((button) => button.kind === 'catalog')?.product
      return { kind: 'catalog', text: words, ...(product && { product: withOwnKey(product) }) }
    }
    if (type !== 'MPM') return undefined
    const known = ours.buttons.find((button) => button.kind === 'products')
    return known && { ...known, text: words, product: withOwnKey(known.product) }
  }

  function withOwnKey(product: string): string {
    return product.replace(variable, (_, key: string) => nextKey(ours.examples[key]))
  }

  function readButton(button: AtWhatsApp): TemplateButton | undefined {
    const { type, text: words, url, phone_number: phone, example } = button
    if (type === 'COPY_CODE') return readCode(words, example)
    if (words === '') return undefined
    const actionButton = readAction(button)
    if (actionButton) return actionButton
    if (type === 'QUICK_REPLY') return { kind: 'quick_reply', text: words }
    if (type === 'PHONE_NUMBER' && phone) return { kind: 'phone', text: words, phone }
    if (type !== 'URL' || !url || !URL.canParse(url)) return undefined
    const link = linkFor(url, words)
    if (link)
      return { ...link, text: words, url: link.url.replace(variable, (_, key: string) => nextKey(ours.examples[key])) }
    const [urlExample] = z.array(text).safeParse(example).data ?? []
    const start = url.split('{{')[0] ?? ''
    const suffix = urlExample?.startsWith(start) ? urlExample.slice(start.length) : urlExample
    return {
      kind: 'url',
      text: words,
      url: url.replace(/\{\{1\}\}/, () => nextKey(suffix?.slice(0, templateLimits.value))),
    }
  }
}

/** Returns the options of an authentication template; it is recognised by its button. */
function authenticationOf(
  body: Component | undefined,
  footer: Component | undefined,
  buttons: Component | undefined,
): Authentication | undefined {
  const [button, ...more] = buttons?.buttons ?? []
  if (!button || more.length > 0) return undefined
  const address = URL.canParse(button.url ?? '') ? new URL(button.url ?? '') : undefined
  const isOtpAddress =
    address !== undefined && /(^|\.)whatsapp\.com$/.test(address.hostname) && /^\/otp\//.test(address.pathname)
  if (button.type !== 'OTP' && !(button.type === 'URL' && isOtpAddress)) return undefined
  const type = (button.otp_type ?? address?.searchParams.get('otp_type') ?? '').toUpperCase()
  const kind = autofillKinds[type]
  if (type !== 'COPY_CODE' && !kind) return undefined
  const expiresInMinutes = footer?.code_expiration_minutes
  return {
    securityRecommendation: body?.add_security_recommendation ?? false,
    ...(expiresInMinutes !== undefined && { expiresInMinutes }),
    ...(kind && { autofill: { kind, apps: appsOf(button, address) } }),
  }
}

const autofillKinds: Readonly<Record<string, 'one_tap' | 'zero_tap'>> = { ONE_TAP: 'one_tap', ZERO_TAP: 'zero_tap' }

/** Finds the apps, named beside the button or in its address. */
function appsOf({ supported_apps: apps }: AtWhatsApp, address: URL | undefined) {
  if (apps)
    return apps
      .slice(0, 5)
      .map(({ package_name: packageName, signature_hash: signatureHash }) => ({ packageName, signatureHash }))
  const hashes = address?.searchParams.getAll('signature_hash') ?? []
  const names = address?.searchParams.getAll('package_name') ?? []
  return names
    .slice(0, Math.min(5, hashes.length))
    .map((name, index) => ({ packageName: name.slice(0, 224), signatureHash: (hashes[index] ?? '').slice(0, 20) }))
}

/** Reads the header's file or place: WhatsApp knows only its kind; the content that is sent is known here. */
function headerMediaOf(header: Component | undefined, ours: HeaderMedia | undefined): HeaderMedia | undefined {
  const kind = header?.format?.toLowerCase()
  if (kind !== 'image' && kind !== 'video' && kind !== 'document' && kind !== 'location') return undefined
  return ours?.kind === kind ? ours : { kind }
}

const variable = /\{\{(\w+)\}\}/

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

const namedSchema = z.array(z.looseObject({ param_name: z.string(), example: text }))

function examplesOf(part: 'header' | 'body', component: Component | undefined): Record<string, string> {
  const exampleFields = component?.example
  const byName = namedSchema.safeParse(exampleFields?.[`${part}_text_named_params`]).data
  if (byName)
    return Object.fromEntries(
      byName.map(({ param_name: key, example }) => [key, example.slice(0, templateLimits.value)]),
    )
  const raw = exampleFields?.[`${part}_text`]
  const list = z.array(text).safeParse(part === 'body' && Array.isArray(raw) ? raw[0] : raw).data ?? []
  return Object.fromEntries(list.map((example, index) => [String(index + 1), example.slice(0, templateLimits.value)]))
}

const wordsOf = (type: string): string => type.toLowerCase().replaceAll('_', ' ')
