const domain: string = import.meta.env['VITE_CONTACT_DOMAIN'] ?? 'parley.example'

/** Contact addresses: mailboxes of the domain that the build is made for (`VITE_CONTACT_DOMAIN`). */
export const contact = {
  sales: `mailto:sales@${domain}?subject=Parley%20Pro`,
  support: `mailto:support@${domain}`,
  hello: `mailto:hello@${domain}`,
  security: `mailto:security@${domain}`,
} as const
