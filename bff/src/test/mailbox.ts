import { inject, vi } from 'vitest'
import { z } from 'zod'

const mailsSchema = z.array(
  z.object({ subject: z.string(), text: z.string().default(''), to: z.array(z.object({ address: z.string() })) }),
)

let counter = 0
/** An address that no other test uses. */
export const newAddress = (name = 'user') => `${name}-${process.pid}-${Date.now()}-${++counter}@parley.test`

/** Returns all mails which the catcher holds for an address. */
export async function mailsTo(address: string) {
  const mails = mailsSchema.parse(await (await fetch(`${inject('stack').urls.mail}/email`)).json())
  return mails.filter(({ to }) => to.some((recipient) => recipient.address === address))
}

/**
 * The link of the newest mail with this subject, as soon as it is there.
 * @param already how many such mails are there before the one that is meant
 */
export async function linkFrom(address: string, subject: string, already = 0): Promise<string> {
  return vi.waitFor(
    async () => {
      const mail = (await mailsTo(address))
        .filter((candidate) => candidate.subject === subject)
        .slice(already)
        .at(-1)
      const link = /https?:\/\/\S+action-token\S+/.exec(mail?.text ?? '')?.[0]
      if (!link) throw new Error(`no mail "${subject}" yet`)
      return link
    },
    { timeout: 120_000, interval: 100 },
  )
}
