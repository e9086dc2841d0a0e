import type { Role } from '@parley/contracts/account/permissions'

/** Subject of a mail; its text follows from it when it leaves. */
export type MailContent =
  | {
      readonly template: 'invitation'
      readonly values: {
        readonly workspace: string
        readonly inviter: string
        readonly role: Role
        /** Secret of the link. */
        readonly token: string
        /** As a person reads it: `5 December 2026`. */
        readonly until: string
      }
    }
  | { readonly template: 'password_changed'; readonly values: { readonly at: string } }
  | {
      readonly template: 'workspace_closing' | 'workspace_restored'
      readonly values: {
        readonly workspace: string
        /** Name of the owner. */
        readonly by: string
        /** Time of its erasure, as a person reads it. */
        readonly until?: string
      }
    }

/** A mail as it is sent. */
export interface MailText {
  readonly subject: string
  readonly text: string
  readonly html: string
}

interface Parts {
  readonly subject: string
  readonly lines: readonly string[]
  readonly button?: { readonly label: string; readonly url: string }
  readonly small: string
}

/** Returns subject, text and HTML of a mail. @param origin where browsers open the app. */
export function mailText(content: MailContent, origin: string): MailText {
  const { subject, lines, button, small } = partsOf(content, origin)
  const text = [...lines, ...(button ? [`${button.label}: ${button.url}`] : []), small].join('\n\n')
  return { subject, text: `${text}\n`, html: frame({ subject, lines, small, ...(button && { button }) }) }
}

function partsOf(content: MailContent, origin: string): Parts {
  if (content.template === 'password_changed') {
    return {
      subject: 'Your Parley password was changed',
      lines: [
        `The password of your Parley account was changed on ${content.values.at}. Your other sessions have ended.`,
        'If that was not you, set another password at once.',
      ],
      button: { label: 'Set another password', url: `${origin}/forgot-password` },
      small: 'You get this mail because it concerns the security of your account.',
    }
  }
  if (content.template !== 'invitation') return partsOfDeletion(content, origin)
  const { role, token, until } = content.values
  const [workspace, inviter] = [plainName(content.values.workspace), plainName(content.values.inviter)]
  return {
    subject: `${inviter} invites you to ${workspace} on Parley`,
    lines: [
      `${inviter} invites you to work in ${workspace} on Parley as ${articleOf(role)} ${role}.`,
      `The link works until ${until}, and for this address alone.`,
    ],
    // A fragment reaches no log and no other server, and a scanner that opens the link changes nothing.
    button: { label: 'See the invitation', url: `${origin}/signup#invitation=${token}` },
    small: 'If you did not expect this, ignore it: nothing happens without you.',
  }
}

function partsOfDeletion(
  { template, values }: Extract<MailContent, { template: 'workspace_closing' | 'workspace_restored' }>,
  origin: string,
): Parts {
  const [workspace, by] = [plainName(values.workspace), plainName(values.by)]
  const small = `You get this mail because you are a member of ${workspace}.`
  if (template === 'workspace_restored')
    return {
      subject: `${workspace} is open again`,
      lines: [`${by} has restored ${workspace} on Parley. Everything is as it was; what you had scheduled goes on.`],
      button: { label: 'Open Parley', url: `${origin}/dashboard` },
      small,
    }
  return {
    subject: `${workspace} will be deleted`,
    lines: [
      `${by} is deleting ${workspace} on Parley. Nothing is sent any more, and API keys are refused.`,
      `An owner can restore it until ${values.until ?? ''}. Then its conversations, contacts and everything else are erased for good.`,
    ],
    button: { label: 'Open Parley', url: `${origin}/dashboard` },
    small,
  }
}

const articleOf = (role: Role): string => (/^[aeiou]/.test(role) ? 'an' : 'a')

const maxName = 80

/** A name that somebody typed, without what a mail program would make a link of, or read as part of a header. */
export function plainName(name: string): string {
  const plain = name
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/[:/\\@<>]/g, ' ')
    .replace(/\.(?=\S)/g, '. ')
    .replace(/\s+/g, ' ')
    .trim()
  return [...plain].slice(0, maxName).join('') || 'A colleague'
}

const escaped: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A template literal whose values are escaped. */
const html = ({ raw }: TemplateStringsArray, ...values: readonly (string | Safe)[]): Safe =>
  new Safe(raw.map((part, index) => `${part}${index < values.length ? textOf(values[index] ?? '') : ''}`).join(''))

class Safe {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
const textOf = (value: string | Safe): string =>
  value instanceof Safe ? value.text : value.replace(/[&<>"']/g, (sign) => escaped[sign] ?? '')
const joined = (parts: readonly Safe[]): Safe => new Safe(parts.map(({ text }) => text).join(''))

function frame({ subject, lines, button, small }: Parts): string {
  const paragraphs = joined(lines.map((line) => html`<p style="margin:0 0 16px">${line}</p>`))
  const link = button
    ? html`<p style="margin:24px 0"><a href="${button.url}" style="background:#1f6f54;border-radius:6px;color:#ffffff;display:inline-block;padding:12px 20px;text-decoration:none">${button.label}</a></p>`
    : html``
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head><body style="margin:0;padding:24px;font:16px/1.5 sans-serif"><div style="max-width:560px;margin:0 auto">${paragraphs}${link}<p style="font-size:14px;margin:0">${small}</p></div></body></html>`
    .text
}
