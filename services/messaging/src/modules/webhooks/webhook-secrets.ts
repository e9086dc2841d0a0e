import { newSigningKey, readSigningKey, showSigningKey } from '@parley/contracts/platform/signing-keys'
import { errors } from '@parley/service-kit/core/errors'
import { Secret, type SecretBox } from '@parley/service-kit/core/secret-box'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { Webhook as Signer } from 'standardwebhooks'
import type { WebhookRecord, WebhookSecret } from './webhooks.model.ts'

const field = 'webhooks.secret'

export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>

/** The one place where keys of webhooks are made, sealed, shown and used to sign. */
export function createWebhookSecrets(box: SecretBox) {
  const open = ({ workspaceId }: WorkspaceScope, { sealed }: WebhookSecret): string =>
    box.open(sealed, { workspaceId, field }).reveal()

  /** @param text what a person typed; empty or absent: a key is made. @throws `validation_failed` on `secret`. */
  function make({ workspaceId }: WorkspaceScope, text: string | undefined, at: Date): WebhookSecret {
    const key = text === undefined || text === '' ? newSigningKey() : readSigningKey(text)
    if (typeof key === 'string') throw errors.validation({ secret: key })
    const shown = showSigningKey(key)
    return { sealed: box.seal(new Secret(shown), { workspaceId, field }), last4: shown.slice(-4), at }
  }

  return {
    make,
    /** Returns the newest key as `whsec_` and base64. */
    show: ({ secrets: [newest], ...scope }: Pick<WebhookRecord, 'workspaceId' | 'secrets'>): string =>
      newest ? open(scope, newest) : '',
    /** Returns what signs for a webhook: by the newest key, and during a rotation by the one before too. */
    signer: ({ secrets, ...scope }: Pick<WebhookRecord, 'workspaceId' | 'secrets'>) => {
      const signers = secrets.map((secret) => ({ until: secret.until, by: new Signer(open(scope, secret)) }))
      return (id: string, at: Date, body: string): Record<string, string> => ({
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': signers
          .filter(({ until }) => !until || until > at)
          .map(({ by }) => by.sign(id, at, body))
          .join(' '),
      })
    },
  }
}
