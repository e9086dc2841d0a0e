import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { PlatformLimits } from '../engine/limits.ts'
import type { Account, BusinessNumber, Token } from '../records.ts'
import type { World } from '../world.ts'
import { GraphError, unknownObject } from './graph-error.ts'

export type Scope = 'whatsapp_business_messaging' | 'whatsapp_business_management'

/** Identifies the caller by the token of the request, and limits what it may reach. */
export function createAuthority(world: World, limits: PlatformLimits) {
  const accounts = new WeakMap<FastifyRequest, { id: string; isRegistered: boolean }>()

  /** @throws GraphError 190 for a token that is missing, unknown or expired, 200 for one without the scope. */
  function tokenOf(request: FastifyRequest, scope?: Scope): Token {
    const header = request.headers.authorization ?? ''
    const value = /^(?:Bearer|OAuth) (.+)$/i.exec(header)?.[1]
    if (value === undefined)
      throw new GraphError(190, {
        status: 401,
        message: 'An active access token must be used to query information about the current user.',
      })
    const token = world.tokens.get(value) ?? appTokenOf(value)
    if (!token)
      throw new GraphError(190, { status: 401, message: 'Invalid OAuth access token - Cannot parse access token' })
    if (token.expiresAt !== null && token.expiresAt <= world.clock.now()) {
      throw new GraphError(190, {
        status: 401,
        subcode: 463,
        message: `Error validating access token: Session has expired on ${new Date(token.expiresAt).toUTCString()}. The current time is ${new Date(world.clock.now()).toUTCString()}.`,
      })
    }
    refuseWrongProof(request, token)
    if (scope && !token.scopes.includes(scope)) throw new GraphError(200)
    return token
  }

  /** Accepts an app's own id and secret. */
  function appTokenOf(value: string): Token | undefined {
    const [appId = '', secret] = value.split('|')
    const app = world.apps.get(appId)
    if (!app || app.secret !== secret) return undefined
    return { token: value, appId, accountIds: [], scopes: [], expiresAt: null, numberId: null }
  }

  /** Checks the proof of the app's secret, if the caller sends one; a wrong one is refused. */
  function refuseWrongProof({ query }: FastifyRequest, { token, appId }: Token): void {
    const proof = z.looseObject({ appsecret_proof: z.string().optional() }).parse(query ?? {}).appsecret_proof
    const secret = world.apps.get(appId)?.secret ?? ''
    if (proof === undefined || proof === createHmac('sha256', secret).update(token).digest('hex')) return
    throw new GraphError(100, { message: 'Invalid appsecret_proof provided in the API argument', status: 400 })
  }

  const mayReach = (token: Token, accountId: string) => token.accountIds.includes(accountId)

  /** @throws GraphError 100/33 where there is no such number, or it belongs to another account. */
  function numberOf(request: FastifyRequest, id: string, scope: Scope): BusinessNumber {
    const token = tokenOf(request, scope)
    const number = world.numbers.get(id)
    if (!number || !mayReach(token, number.accountId)) throw unknownObject(id)
    count(request, number.accountId, scope)
    return number
  }

  function accountOf(request: FastifyRequest, id: string): Account {
    const token = tokenOf(request, 'whatsapp_business_management')
    const account = world.accounts.get(id)
    if (!account || !mayReach(token, id)) throw unknownObject(id)
    count(request, id, 'whatsapp_business_management')
    return account
  }

  /** @throws GraphError 80007 where the account's calls of this hour are used up. Sends are counted elsewhere. */
  function count(request: FastifyRequest, accountId: string, scope: Scope): void {
    const isRegistered = scope === 'whatsapp_business_messaging' || hasRegistered(accountId)
    accounts.set(request, { id: accountId, isRegistered })
    if (scope !== 'whatsapp_business_management') return
    if (limits.takeManagement(accountId, isRegistered) > 0) throw new GraphError(80007)
  }

  const hasRegistered = (id: string) =>
    [...world.numbers.values()].some(({ accountId, registered }) => accountId === id && registered)

  /** Returns the value of `x-business-use-case-usage`, once the account of a request is known. */
  function usageOf(request: FastifyRequest): string | undefined {
    const account = accounts.get(request)
    return account && JSON.stringify({ [account.id]: [limits.usageOf(account.id, account.isRegistered)] })
  }

  return { tokenOf, numberOf, accountOf, mayReach, usageOf }
}
