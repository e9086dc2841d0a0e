import { z } from 'zod'

/** Options of an authentication template: WhatsApp writes its text. Source: Meta, authentication templates. */
export const authenticationSchema = z.object({
  /** “For your security, do not share this code.” */
  securityRecommendation: z.boolean(),
  /** “This code expires in 10 minutes.” Absent: no such sentence. */
  expiresInMinutes: z
    .number('Enter minutes')
    .int('Enter whole minutes')
    .min(1, 'Between 1 and 90 minutes')
    .max(90, 'Between 1 and 90 minutes')
    .optional(),
  /**
   * Android apps that take the code over, at one tap on the button or without any. Made in WhatsApp Manager and kept here.
   * Absent: the button copies the code.
   */
  autofill: z
    .object({
      kind: z.enum(['one_tap', 'zero_tap']),
      apps: z.array(z.object({ packageName: z.string().max(224), signatureHash: z.string().max(20) })).max(5),
    })
    .optional(),
})
export type Authentication = z.infer<typeof authenticationSchema>

/** The one variable of an authentication template, and how long its value may be. */
export const codeKey = 'code'
export const maxCode = 15
export const copyCodeText = 'Copy code'

/** Text as WhatsApp writes it in English; it translates it for the template's language. */
export function authenticationTexts({ securityRecommendation, expiresInMinutes }: Authentication) {
  const recommendation = securityRecommendation ? ' For your security, do not share this code.' : ''
  return {
    body: `*{{${codeKey}}}* is your verification code.${recommendation}`,
    ...(expiresInMinutes !== undefined && {
      footer: `This code expires in ${expiresInMinutes} ${expiresInMinutes === 1 ? 'minute' : 'minutes'}.`,
    }),
  }
}
