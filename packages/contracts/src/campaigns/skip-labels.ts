import type { SkipReason } from './skip-reasons.ts'

/** Texts for people about a message that did not leave: what happened, and what they can do. */
export const skipLabels: Readonly<Record<SkipReason, { readonly title: string; readonly advice: string }>> = {
  opted_out: {
    title: 'The customer has opted out',
    advice: 'This template was not sent. You can still reply to their messages.',
  },
  no_opt_in: {
    title: 'The customer has not agreed to marketing',
    advice: 'This template was not sent. Record their consent first, if they have given it.',
  },
  recently_messaged: {
    title: 'The customer got marketing recently',
    advice: 'The campaign leaves out these customers. Send it again to reach this one anyway.',
  },
  blocked: { title: 'This contact is blocked', advice: 'Unblock the contact to message them.' },
  deleted: { title: 'This contact was deleted', advice: 'Restore the contact to message them.' },
  window_closed: {
    title: 'The 24-hour window is closed',
    advice: 'Send an approved template. The customer opens the window again by answering.',
  },
  template_not_approved: {
    title: 'The template is not approved',
    advice: 'WhatsApp sends approved templates only. Choose another one.',
  },
  value_too_long: {
    title: 'The text is too long with this customer’s values',
    advice: 'WhatsApp sends at most 60 characters of header and 1,024 of message. Shorten the values or the template.',
  },
  offer_ended: {
    title: 'The offer has ended',
    advice: 'It was not sent because its time was over before it could leave. Choose a later end.',
  },
  template_changed: {
    title: 'The template’s text has changed',
    advice: 'It was not sent because the customer would have received a different text. Choose the template again.',
  },
  conversation_taken: {
    title: 'A colleague was faster',
    advice: 'This automatic message was not sent because a colleague had taken over the conversation.',
  },
}
