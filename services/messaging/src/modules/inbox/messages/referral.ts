import type { Message } from '@parley/contracts/inbox/messages'
import { z } from 'zod'

export const isWebAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value)

const words = (max: number) =>
  z
    .string()
    .transform((text) => text.trim().slice(0, max) || undefined)
    .optional()
    .catch(undefined)
const referralSchema = z.object({
  source_type: z.string().optional().catch(undefined),
  headline: words(300),
  body: words(1024),
  source_url: z.string().max(2048).optional().catch(undefined),
})

/** The ad or post of a message, from what WhatsApp tells of it; `undefined` where it tells nothing that can be shown. */
export function referralOf(stored: unknown): Message['referral'] {
  const parsed = referralSchema.safeParse(stored)
  if (!parsed.success) return undefined
  const { source_type: source, source_url: url, headline, body } = parsed.data
  if (!headline && !body && !isWebAddress(url)) return undefined
  return {
    kind: source === 'post' ? 'post' : 'ad',
    ...(headline && { headline }),
    ...(body && { body }),
    ...(isWebAddress(url) && { url }),
  }
}
