import { z } from 'zod'
import type { ContractTarget } from './target.ts'
import { waitFor } from './wait-for.ts'

const mailSchema = z.object({
  subject: z.string(),
  from: z.array(z.object({ address: z.string(), name: z.string() })),
  to: z.array(z.object({ address: z.string() })),
  text: z.string(),
  html: z.string(),
})
type Mail = z.infer<typeof mailSchema>

/** Every mail of this subject to an address that has arrived so far, oldest first. */
export async function mailsTo(target: ContractTarget, email: string, subject: string): Promise<Mail[]> {
  const all = z.array(z.unknown()).parse(await (await fetch(`${target.mailUrl}/email`)).json())
  return all.flatMap((entry) => {
    const mail = mailSchema.safeParse(entry).data
    return mail?.subject === subject && mail.to.some(({ address }) => address === email) ? [mail] : []
  })
}

/** The newest mail of this subject to an address, once there are more than `already` of them. */
export function mailTo(target: ContractTarget, email: string, subject: string, already = 0): Promise<Mail> {
  return waitFor(`the mail "${subject}" to ${email}`, async () => {
    const mails = await mailsTo(target, email, subject)
    return mails.length > already ? mails.at(-1) : undefined
  })
}

/** The action link in a mail's text. */
export function linkIn(mail: Mail): string {
  const link = /https?:\/\/\S*\/login-actions\/action-token\?key=\S+/.exec(mail.text)?.[0]
  if (link === undefined) throw new Error('The mail has no action link')
  return link
}
