import type { Adapter, AdapterPayload } from 'oidc-provider'
import { z } from 'zod'
import { createRecords, type Database, nowSeconds } from '../store/records.ts'

/** For records that the library gives no end of their own, in seconds. */
const maxLife = 30 * 86_400

const payloadSchema = z.custom<AdapterPayload>((value) => typeof value === 'object')

/** Creates oidc-provider's storage of codes, refresh tokens, grants and interactions. */
export const createAdapter =
  (database: Database) =>
  (model: string): Adapter => {
    const kind = `oidc:${model}`
    const records = createRecords(database, kind, payloadSchema)
    const consume = database.prepare(
      "UPDATE records SET content = json_set(content, '$.consumed', ?) WHERE kind = ? AND id = ?",
    )
    const eraseOwned = database.prepare('DELETE FROM records WHERE kind = ? AND owner = ?')
    return {
      async upsert(id, payload, expiresIn) {
        // No browser session is kept: every sign-in asks who it is, so a leftover one signs no one in.
        if (model !== 'Session')
          records.put(id, payload, { lifeSeconds: expiresIn ?? maxLife, owner: payload.grantId ?? null })
      },
      find: async (id) => records.find(id),
      consume: async (id) => {
        // As at Keycloak each refresh brings a new token, and the one before goes on until its session ends.
        if (model !== 'RefreshToken') consume.run(nowSeconds(), kind, id)
      },
      destroy: async (id) => void records.remove(id),
      revokeByGrantId: async (grantId) => void eraseOwned.run(kind, grantId),
      findByUid: async () => undefined,
      findByUserCode: async () => undefined,
    }
  }
