import { skipLabels } from '../campaigns/skip-labels.ts'

/** Reasons by code: of messages that do not leave, of steps that cannot be done, of calls to another system (`CallTest.code`). */
const reasons: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(skipLabels).map(([code, { title }]) => [code, title])),
  assigned: 'The conversation is with a person',
  empty_text: 'The text is empty once its variables are filled',
  invalid_value: 'The value does not fit the field',
  session_full: 'More values were to be kept than a run holds',
  timeout: 'No answer in time',
  unreachable: 'The host cannot be reached',
  address_refused: 'This address is not one that Parley calls',
  http_status: 'The host has refused',
  redirected: 'The host answers with a redirect, which is not followed',
  answer_too_large: 'The answer is larger than 1 MiB',
  answer_not_json: 'The answer is no JSON',
  host_failing: 'The host has failed 20 times in a row: it is left alone for a minute',
  connection_gone: 'The connection has been deleted',
  secret_unreadable: 'The stored secret cannot be opened: enter it again',
  header_refused: 'A header holds signs that headers cannot have',
  body_refused: 'The body is no JSON',
  certificate_expired: 'The certificate of the host has expired',
  certificate_other_name: 'The certificate is for another host',
  certificate_untrusted: 'The certificate of the host is not trusted',
  tls_failed: 'No encrypted connection came about',
  lost: 'The worker ended during the call',
  form_unavailable: 'The form cannot be sent: it was deleted, blocked or taken back at WhatsApp',
  uncertain: 'It may have been done, although no answer came',
}

/** Returns the reason why a step was refused or a call has failed, in words; `undefined` for other codes. */
export const refusalReason = (code: string | undefined): string | undefined =>
  code !== undefined && Object.hasOwn(reasons, code) ? reasons[code] : undefined

/** Returns the sentence that people read about a refused step; a code without words stands in it as it is. */
export function refusalSentence(kind: 'bot' | 'workflow', code: string | undefined): string {
  const reason = refusalReason(code)
  const words = reason === undefined ? (code ?? 'no reason was told') : reason.charAt(0).toLowerCase() + reason.slice(1)
  return `A step of the ${kind} was refused: ${words}.`
}
