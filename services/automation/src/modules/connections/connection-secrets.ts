import {
  type Connection,
  type NewConnection,
  shownAuthenticationSchema,
} from '@parley/contracts/automation/connections'
import { Secret, type SecretBox } from '@parley/service-kit/core/secret-box'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ConnectionRecord } from './connections.model.ts'

const field = 'connections.secret'

export type ConnectionSecrets = ReturnType<typeof createConnectionSecrets>

/** The one place where secrets of connections are sealed, and put into the headers of a call. */
export const createConnectionSecrets = (box: SecretBox) => ({
  seal: ({ workspaceId }: WorkspaceScope, secret: string): string =>
    box.seal(new Secret(secret), { workspaceId, field }),
  /** Returns the headers by which a connection proves who calls, with lower-case names. */
  headersOf: ({
    workspaceId,
    authentication,
    sealed,
  }: Pick<ConnectionRecord, 'workspaceId' | 'authentication' | 'sealed'>): Record<string, string> => {
    if (authentication.kind === 'none' || sealed === undefined) return {}
    const secret = box.open(sealed, { workspaceId, field }).reveal()
    switch (authentication.kind) {
      case 'bearer':
        return { authorization: `Bearer ${secret}` }
      case 'basic':
        return { authorization: `Basic ${Buffer.from(`${authentication.username}:${secret}`).toString('base64')}` }
      case 'header':
        return { [authentication.header.toLowerCase()]: secret }
    }
  },
})

type Typed = NewConnection['authentication'] | Connection['authentication']

/** Returns an authentication as it is shown and stored, and the secret that was typed with it. */
export const withoutSecret = (typed: Typed): { shown: Connection['authentication']; secret: string | undefined } => ({
  shown: shownAuthenticationSchema.parse(typed),
  secret: 'secret' in typed ? typed.secret : undefined,
})
