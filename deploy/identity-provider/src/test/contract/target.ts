/** A provider under test: Keycloak or its stand-in, told apart by nothing but addresses and secrets. */
export interface ContractTarget {
  /** `<origin>/realms/<realm>` */
  readonly issuer: string
  readonly secrets: { readonly web: string; readonly password: string; readonly identity: string }
  /** The app's origin: redirect URIs of the realm's clients begin with it. */
  readonly publicOrigin: string
  /** A mail catcher that answers `GET /email` as maildev does. */
  readonly mailUrl: string
}

let chosen: ContractTarget | undefined

export function chooseTarget(target: ContractTarget): void {
  chosen = target
}

/** The provider on which this file's tests run. @throws where none was chosen yet */
export function target(): ContractTarget {
  if (!chosen) throw new Error('no provider was chosen')
  return chosen
}

/**
 * A provider named by the environment, so that the same cases run against a real Keycloak; undefined where none is named.
 * @throws Error naming the variables that are missing beside IDENTITY_CONTRACT_ISSUER
 */
export function externalTarget(env: NodeJS.ProcessEnv): (ContractTarget & { logoutPort: number }) | undefined {
  const issuer = env['IDENTITY_CONTRACT_ISSUER']
  if (!issuer) return undefined
  const missing: string[] = []
  const read = (name: string) => {
    const value = env[`IDENTITY_CONTRACT_${name}`] ?? ''
    if (value === '') missing.push(`IDENTITY_CONTRACT_${name}`)
    return value
  }
  const target = {
    issuer,
    secrets: { web: read('WEB_SECRET'), password: read('PASSWORD_SECRET'), identity: read('ADMIN_SECRET') },
    publicOrigin: read('PUBLIC_ORIGIN'),
    mailUrl: read('MAIL_URL'),
    logoutPort: Number(read('BACKCHANNEL_PORT')),
  }
  if (missing.length > 0) throw new Error(`These variables are missing: ${missing.join(', ')}`)
  return target
}
