import { createTransport } from 'nodemailer'
import { html } from './pages/layout.ts'
import type { MailLink } from './stores.ts'

interface Mail {
  readonly to: string
  readonly action: MailLink['action']
  readonly link: string
  readonly lifeSeconds: number
}

export type SendMail = (mail: Mail) => Promise<void>

const wording = {
  VERIFY_EMAIL: {
    subject: 'Verify email',
    lead: 'Someone created a Parley account with this email address. If it was you, confirm it:',
  },
  UPDATE_PASSWORD: {
    subject: 'Update Your Account',
    lead: 'Someone asked to reset the password of your Parley account. If it was you, choose a new one:',
  },
  LINK_ACCOUNT: {
    subject: 'Link Google',
    lead: 'Someone signed in with a Google account that has this email address and wants it to open your Parley account. If it was you, confirm it:',
  },
} as const

/** Sends the mails of action links, under Keycloak's subjects. Rejects where the mail server does not take one. */
export function createMailer(smtpUrl: string): SendMail {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: 2000,
    greetingTimeout: 2000,
    socketTimeout: 5000,
  })
  return async ({ to, action, link, lifeSeconds }) => {
    const { subject, lead } = wording[action]
    const life = `The link works for ${Math.ceil(lifeSeconds / 60)} minutes. If it was not you, ignore this mail: nothing happens without the link.`
    await transport.sendMail({
      from: 'Parley <no-reply@parley.example>',
      to,
      subject,
      text: [lead, link, life, '— Parley'].join('\n\n'),
      html: html`<!doctype html><html lang="en"><title>${subject}</title><p>${lead}</p><p><a href="${link}">${link}</a></p><p>${life}</p><p>— Parley</p></html>`
        .markup,
    })
  }
}
