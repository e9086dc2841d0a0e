import { z } from 'zod'
import { until } from './until.ts'

const mailsSchema = z.array(
  z.object({ subject: z.string(), text: z.string().default(''), to: z.array(z.object({ address: z.string() })) }),
)

/** The link of the newest mail to an address with this subject, as soon as the catcher holds it. */
export async function linkFrom(mailUrl: string, address: string, subject: string): Promise<string> {
  return until(`a mail "${subject}" to ${address}`, async () => {
    const mails = mailsSchema.parse(await (await fetch(`${mailUrl}/email`)).json())
    const mail = mails.findLast((one) => one.subject === subject && one.to.some((to) => to.address === address))
    return /https?:\/\/\S+action-token\S+/.exec(mail?.text ?? '')?.[0]
  })
}
