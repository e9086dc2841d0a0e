import type { Authentication } from '@parley/contracts/templates/template-authentication'

/** WhatsApp writes the texts, that of the button as well, in the template’s language. Source: Meta, authentication templates: copy code, one-tap and zero-tap autofill. */
export const authenticationComponents = ({
  securityRecommendation,
  expiresInMinutes,
  autofill,
}: Authentication): object[] => [
  { type: 'BODY', add_security_recommendation: securityRecommendation },
  ...(expiresInMinutes === undefined ? [] : [{ type: 'FOOTER', code_expiration_minutes: expiresInMinutes }]),
  { type: 'BUTTONS', buttons: [codeButtonOf(autofill)] },
]

const codeButtonOf = (autofill: Authentication['autofill']): object => ({
  type: 'OTP',
  otp_type: autofill ? autofill.kind.toUpperCase() : 'COPY_CODE',
  ...(autofill?.kind === 'zero_tap' && { zero_tap_terms_accepted: true }),
  ...(autofill &&
    autofill.apps.length > 0 && {
      supported_apps: autofill.apps.map(({ packageName, signatureHash }) => ({
        package_name: packageName,
        signature_hash: signatureHash,
      })),
    }),
})

/** A code is in the text, and in the button that copies it. */
export const codeComponents = (code: string): object[] => [
  { type: 'body', parameters: [{ type: 'text', text: code }] },
  { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: code }] },
]
