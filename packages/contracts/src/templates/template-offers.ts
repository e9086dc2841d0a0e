import { z } from 'zod'

/** Limits of an offer and of the message around it. Source: Meta, limited-time offer templates. */
export const offerLimits = { text: 16, body: 600 } as const

/** Variable that the end of an offer is given in: a time with its zone. WhatsApp shows customers a clock that counts down to it. */
export const offerEndsKey = 'offer_ends'

export const offerSchema = z.object({
  text: z
    .string()
    .trim()
    .min(1, 'Enter what is offered')
    .max(offerLimits.text, `At most ${offerLimits.text} characters`),
  /** True where each message has an end, which stands in it. */
  hasExpiration: z.boolean(),
})
export type Offer = z.infer<typeof offerSchema>

export const judgedOfferSchema = z.object({ text: z.string().max(1000), hasExpiration: z.boolean() })

const timeSchema = z.iso.datetime({ offset: true })

/** Reads the end of an offer; `undefined` for what is no time. */
export function offerEnd(value: string | undefined): Date | undefined {
  const { data } = timeSchema.safeParse(value?.trim())
  return data === undefined ? undefined : new Date(data)
}

/** Returns why an offer cannot end at a time, for a person. @param earliest moment at which it is sent. */
export function offerEndProblem(value: string | undefined, earliest: Date): string | undefined {
  const end = offerEnd(value)
  if (!end) return 'Choose the time at which the offer ends.'
  return end <= earliest ? 'The offer has to end after it is sent. Choose a later time.' : undefined
}
