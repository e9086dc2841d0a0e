import { z } from 'zod'
import { type Component, refusedPart } from './refused-part.ts'
import { buttonsOf } from './template-buttons.ts'

const samples: Readonly<Record<string, readonly string[]>> = {
  IMAGE: ['image/jpeg', 'image/png'],
  VIDEO: ['video/mp4'],
  DOCUMENT: ['application/pdf'],
}
const handleSchema = z.object({ header_handle: z.array(z.string()).length(1) })
const codeSchema = z.union([z.string(), z.array(z.string()).length(1)]).transform((code) => [code].flat()[0] ?? '')
export const maxCode = 15

/**
 * Checks what the platform wants of headers and buttons that are no text.
 * @param typeOfHandle what a resumable upload has answered with this handle; undefined where none has.
 * @throws GraphError 100.
 */
export function checkParts(
  components: readonly Component[],
  typeOfHandle: (handle: string) => string | undefined,
): void {
  for (const component of components) {
    const types = component.type === 'HEADER' ? samples[String(component['format'])] : undefined
    if (types) {
      const [handle = ''] = handleSchema.safeParse(component['example']).data?.header_handle ?? []
      if (!types.includes(typeOfHandle(handle) ?? ''))
        throw refusedPart(`Template of header type ${String(component['format'])} needs an example of that type.`)
    }
    for (const button of buttonsOf(component)) {
      if (button.type !== 'COPY_CODE') continue
      const code = codeSchema.safeParse(button['example']).data ?? ''
      if (code === '' || code.length > maxCode) throw refusedPart(`A coupon code has 1 to ${maxCode} characters.`)
    }
  }
}

const authenticationSchema = z.tuple(
  [z.strictObject({ type: z.literal('BODY'), add_security_recommendation: z.boolean().optional() })],
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('FOOTER'), code_expiration_minutes: z.number().int().min(1).max(90) }),
    z.strictObject({
      type: z.literal('BUTTONS'),
      buttons: z
        .array(
          z.strictObject({
            type: z.literal('OTP'),
            otp_type: z.literal('COPY_CODE'),
            text: z.string().max(25).optional(),
          }),
        )
        .length(1),
    }),
  ]),
)

/**
 * An authentication template as the platform keeps it: with its own text, and a button that copies the code.
 * @throws GraphError 100 for own words.
 */
export function writtenOut(components: readonly Component[]): Component[] {
  const { data, error } = authenticationSchema.safeParse(components)
  const buttons = data?.find((part) => part.type === 'BUTTONS')
  if (!data || !buttons) throw refusedPart(`Authentication templates take no text: ${error?.issues[0]?.path.join('.')}`)
  return data.map((part): Component => {
    if (part.type === 'FOOTER')
      return { ...part, text: `This code expires in ${part.code_expiration_minutes} minutes.` }
    if (part.type === 'BUTTONS') {
      const url = 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}'
      const text = part.buttons[0]?.text ?? 'Copy code'
      return { type: 'BUTTONS', buttons: [{ type: 'URL', text, url, example: [url.replace('{{1}}', '123456')] }] }
    }
    const { add_security_recommendation: recommends = false } = part
    const text = `*{{1}}* is your verification code.${recommends ? ' For your security, do not share this code.' : ''}`
    return {
      type: 'BODY',
      text,
      add_security_recommendation: recommends,
      example: { body_text: [['123456']] },
    }
  })
}
