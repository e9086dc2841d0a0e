import type { StackContext } from '../part.ts'

type WithPorts = Pick<StackContext, 'ports'>

/** What a browser calls the app. */
export const publicOrigin = ({ ports }: WithPorts): string => `http://localhost:${ports.app}`

/** The BFF as other processes on this machine call it. */
export const bffOrigin = ({ ports }: WithPorts): string => `http://127.0.0.1:${ports.app}`

/** Where services fetch the keys of internal tokens. */
export const internalJwksUrl = ({ ports }: WithPorts): string =>
  `http://127.0.0.1:${ports.bffManagement}/internal/jwks.json`

export const profileOrigin = ({ ports }: WithPorts): string => `http://127.0.0.1:${ports.profile}`

export const identityOrigin = ({ ports }: WithPorts): string => `http://127.0.0.1:${ports.identity}`
