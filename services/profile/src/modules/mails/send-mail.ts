import { createTransport } from 'nodemailer'
import { z } from 'zod'
import type { MailText } from './mail-texts.ts'

/** Fate of a mail that was tried: `later` may be tried again, `refused` never is, of `unknown` the mail may have arrived. */
type MailOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'later' | 'refused' | 'unknown'; readonly reason: string }

/** The defaults of the library, up to ten minutes, outlive the lease of a mail. Together below {@link leaseMs}. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000, dnsTimeout: 10_000 }
/** While a worker has a mail, no other one takes it. */
export const leaseMs = 180_000

const errorSchema = z.object({
  message: z.string(),
  code: z.string().optional(),
  responseCode: z.number().optional(),
  response: z.string().optional(),
})

export type SendMail = (mail: MailText & { readonly id: string; readonly to: string }) => Promise<MailOutcome>

/** Sends mails by SMTP, each over a connection of its own. @param from the sender's address. */
export function createSendMail({ url, from }: { url: string; from: string }): SendMail {
  const domain = from.slice(from.lastIndexOf('@') + 1)

  return async function sendMail({ id, to, ...text }) {
    let isHandedOver = false
    const note = (entry: unknown, line: unknown) => {
      // The server's go-ahead: from here on only its answer tells whether it has the mail.
      if (Object(entry).tnx === 'server' && String(line).startsWith('354')) isHandedOver = true
    }
    const transport = createTransport({
      url,
      ...timeouts,
      disableFileAccess: true,
      disableUrlAccess: true,
      transactionLog: true,
      logger: { trace: note, debug: note, info: note, warn: note, error: note, fatal: note },
    })
    try {
      await transport.sendMail({
        from: { name: 'Parley', address: from },
        to: { name: '', address: to },
        // The same however often it is tried; without brackets the library would report another one than it sends.
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...text,
      })
      return { kind: 'sent' }
    } catch (error) {
      return outcomeOf(error, isHandedOver)
    } finally {
      transport.close()
    }
  }
}

function outcomeOf(error: unknown, isHandedOver: boolean): MailOutcome {
  const { data } = errorSchema.safeParse(error)
  if (!data) throw error
  const { responseCode, response, code = '', message } = data
  const reason = (response ?? message).slice(0, 300)
  if (responseCode !== undefined) return { kind: responseCode >= 500 && isOfMail(code) ? 'refused' : 'later', reason }
  return { kind: isHandedOver ? 'unknown' : 'later', reason }
}

/** A refused login is no fault of the mail: it waits until the operator has put that right. */
const isOfMail = (code: string): boolean => code === 'EENVELOPE' || code === 'EMESSAGE'
