import { jwtVerify } from 'jose'
import { z } from 'zod'
import type { Realm } from '../realm.ts'

const claimsSchema = z.object({
  sub: z.string(),
  azp: z.string(),
  sid: z.string().optional(),
  scope: z.string().default(''),
})

/** @returns the claims of a genuine access token that has not expired, whatever became of its session */
export async function verifyAccessToken({ issuer, keys }: Realm, token = '') {
  try {
    const options = { issuer, audience: 'account', algorithms: ['RS256'], typ: 'at+jwt' }
    return claimsSchema.parse((await jwtVerify(token, keys.publicKey, options)).payload)
  } catch {
    return undefined
  }
}
