import type { FastifyRequest } from 'fastify'
import type { Account, BusinessNumber, Token, World } from '../world.ts'
import { GraphError, unknownObject } from './graph-error.ts'

export type Scope = 'whatsapp_business_messaging' | 'whatsapp_business_management'

/** Who calls, by the token of the request, and what that may reach. */
export function createAuthority(world: World) {
  /** @throws GraphError 190 for a token that is missing, unknown or expired, 200 for one without the scope. */
  function tokenOf(request: FastifyRequest, scope?: Scope): Token {
    const header = request.headers.authorization ?? ''
    const value = /^(?:Bearer|OAuth) (.+)$/i.exec(header)?.[1]
    if (value === undefined)
      throw new GraphError(190, {
        status: 401,
        message: 'An active access token must be used to query information about the current user.',
      })
    const token = world.tokens.get(value)
    if (!token)
      throw new GraphError(190, { status: 401, message: 'Invalid OAuth access token - Cannot parse access token' })
    if (token.expiresAt !== null && token.expiresAt <= world.clock.now()) {
      throw new GraphError(190, {
        status: 401,
        subcode: 463,
        message: `Error validating access token: Session has expired on ${new Date(token.expiresAt).toUTCString()}. The current time is ${new Date(world.clock.now()).toUTCString()}.`,
      })
    }
    if (scope && !token.scopes.includes(scope)) throw new GraphError(200)
    return token
  }

  const mayReach = (token: Token, accountId: string) => token.accountIds.includes(accountId)

  /** @throws GraphError 100/33 where there is no such number, or it belongs to another account. */
  function numberOf(request: FastifyRequest, id: string, scope: Scope): BusinessNumber {
    const token = tokenOf(request, scope)
    const number = world.numbers.get(id)
    if (!number || !mayReach(token, number.accountId)) throw unknownObject(id)
    return number
  }

  function accountOf(request: FastifyRequest, id: string): Account {
    const token = tokenOf(request, 'whatsapp_business_management')
    const account = world.accounts.get(id)
    if (!account || !mayReach(token, id)) throw unknownObject(id)
    return account
  }

  return { tokenOf, numberOf, accountOf, mayReach }
}
