import { createTransport } from 'nodemailer'
import { html } from './pages/layout.ts'
import type { MailLink } from './store/stores.ts'

interface MailToSend {
  readonly to: string
  readonly action: MailLink['action']
  readonly link: string
  readonly lifespanSeconds: number
}

export type SendMail = (mail: MailToSend) => Promise<void>

const wording = {
  VERIFY_EMAIL: {
    subject: 'Verify email',
    title: 'Verify your email address',
    lead: 'Someone created a Parley account with this email address. If it was you, confirm it:',
    button: 'Verify email address',
    times: '',
    otherwise: 'If you did not create an account, ignore this mail: nothing happens without the link.',
  },
  UPDATE_PASSWORD: {
    subject: 'Update Your Account',
    title: 'Choose a new password',
    lead: 'Someone asked to reset the password of your Parley account. If it was you, continue here:',
    button: 'Choose a new password',
    times: 'once, ',
    otherwise: 'If you did not ask for this, ignore this mail: your password stays as it is.',
  },
  LINK_ACCOUNT: {
    subject: 'Link Google',
    title: 'Link your Google account',
    lead: 'Someone signed in with a Google account that has this email address and wants it to open your Parley account. If it was you, confirm it:',
    button: 'Link Google',
    times: 'once, ',
    otherwise: 'If it was not you, ignore this mail: nothing happens without the link.',
  },
} as const

/** Sends the mails of action links. Rejects where the mail server does not take one. */
export function createMailer(smtpUrl: string): SendMail {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: 2000,
    greetingTimeout: 2000,
    socketTimeout: 5000,
  })
  const from = 'Parley <no-reply@parley.example>'
  return async (mail) => {
    await transport.sendMail({ from, to: mail.to, subject: wording[mail.action].subject, ...mailBody(mail) })
  }
}

/** The same words twice: as text and as a page that mail programs can draw. */
export function mailBody({ action, link, lifespanSeconds }: MailToSend): { text: string; html: string } {
  const { subject, title, lead, button, otherwise, times } = wording[action]
  const life = `The link works ${times}within ${duration(lifespanSeconds)}.`
  const text = [title, lead, link, life, otherwise, '— Parley'].join('\n\n')
  const font = "font-family:Inter,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:14px;line-height:20px"
  const markup = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="margin:0;padding:32px 16px;background:#f7f8f7;color:#0f1715;${font}">
<table role="presentation" align="center" width="100%" style="max-width:440px;border-collapse:collapse"><tr><td style="padding:0 0 16px;font-size:18px;font-weight:600">Parley</td></tr>
<tr><td style="padding:24px;background:#ffffff;border:1px solid #e6eae8;border-radius:10px;${font}">
<h1 style="margin:0 0 8px;font-size:20px;line-height:28px">${title}</h1>
<p style="margin:0 0 20px;color:#52605b">${lead}</p>
<p style="margin:0 0 20px"><a href="${link}" style="display:inline-block;padding:10px 20px;border-radius:6px;background:#0b7a4b;color:#ffffff;font-weight:600;text-decoration:none">${button}</a></p>
<p style="margin:0 0 12px;color:#52605b">${life} If the button does nothing, copy this address into your browser:</p>
<p style="margin:0 0 20px;word-break:break-all"><a href="${link}" style="color:#0b7a4b">${link}</a></p>
<p style="margin:0;color:#52605b">${otherwise}</p>
</td></tr></table>
</body></html>
`.markup
  return { text, html: markup }
}

function duration(seconds: number): string {
  const [count, unit] =
    seconds >= 3600 ? [seconds / 3600, 'hour'] : seconds >= 60 ? [seconds / 60, 'minute'] : [seconds, 'second']
  const whole = Math.floor(count)
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`
}
