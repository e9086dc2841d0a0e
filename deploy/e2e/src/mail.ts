import { z } from 'zod'
import { until } from './until.ts'

const mailsSchema = z.array(
  z.object({ subject: z.string(), text: z.string().default(''), to: z.array(z.object({ address: z.string() })) }),
)

/**
 * The link of the newest mail to an address, as soon as the catcher holds it.
 * @param pattern of the link; that of the identity provider's mails where absent.
 */
export async function linkFrom(
  mailUrl: string,
  address: string,
  subject: string | RegExp,
  pattern = /https?:\/\/\S+action-token\S+/,
): Promise<string> {
  const isMeant = (text: string) => (typeof subject === 'string' ? text === subject : subject.test(text))
  return until(`a mail "${subject}" to ${address}`, async () => {
    const mails = mailsSchema.parse(await (await fetch(`${mailUrl}/email`)).json())
    const mail = mails.findLast((one) => isMeant(one.subject) && one.to.some((to) => to.address === address))
    return pattern.exec(mail?.text ?? '')?.[0]
  })
}
