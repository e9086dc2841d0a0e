import { z } from 'zod'

/**
 * The secret of a client at the identity provider; two, separated by white space, while it is being replaced: the provider
 * takes one until the moment of the change and the other from then on.
 */
export const clientSecretsSchema = z.string().transform((text, context) => {
  const secrets = text.trim().split(/\s+/)
  if (secrets.some((secret) => secret.length < 8)) {
    context.addIssue({ code: 'custom', message: 'is too short: a secret has 8 characters or more' })
  }
  if (secrets.length > 2) {
    context.addIssue({ code: 'custom', message: 'must be one secret, or the old and the new one separated by a space' })
  }
  return secrets
})

/** Thrown by an attempt whose secret the provider did not take. It says nothing about the person. */
export class ClientSecretRefused extends Error {
  constructor(cause: unknown) {
    super('the identity provider refused the client secret', { cause })
    this.name = 'ClientSecretRefused'
  }
}

/**
 * Chooses among the secrets of one client: the one that was good last, and the other where the provider refuses it.
 * @returns a function that runs `attempt` with a secret, and once more after a {@link ClientSecretRefused}.
 */
export function createClientSecrets(secrets: readonly string[]) {
  let current = 0

  return async function withSecret<T>(attempt: (secret: string) => Promise<T>): Promise<T> {
    const tried = current
    try {
      return await attempt(secrets[tried] ?? '')
    } catch (error) {
      const other = (tried + 1) % secrets.length
      if (!(error instanceof ClientSecretRefused) || other === tried) throw error
      current = other
      return attempt(secrets[other] ?? '')
    }
  }
}
