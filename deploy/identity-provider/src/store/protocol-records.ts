import type { Adapter, AdapterPayload } from 'oidc-provider'
import { z } from 'zod'
import type { Database } from './database.ts'
import { nowSeconds } from './sessions.ts'

/** For records that the library gives no end of their own, in seconds. */
const longestLife = 30 * 86_400

const payloadRow = z.object({ payload: z.string() })

/** Where oidc-provider keeps codes, refresh tokens, grants and interactions. */
export function createProtocolRecords(database: Database) {
  const put = database.prepare('INSERT OR REPLACE INTO protocol_records VALUES (?, ?, ?, ?, ?)')
  const one = database.prepare('SELECT payload FROM protocol_records WHERE model = ? AND id = ? AND expires_at > ?')
  const consume = database.prepare(
    "UPDATE protocol_records SET payload = json_set(payload, '$.consumed', ?) WHERE model = ? AND id = ?",
  )
  const erase = database.prepare('DELETE FROM protocol_records WHERE model = ? AND id = ?')
  const eraseGrant = database.prepare('DELETE FROM protocol_records WHERE model = ? AND grant_id = ?')
  const eraseDead = database.prepare('DELETE FROM protocol_records WHERE expires_at <= ?')

  function adapter(model: string): Adapter {
    return {
      async upsert(id, payload, expiresIn) {
        put.run(model, id, payload.grantId ?? null, JSON.stringify(payload), nowSeconds() + (expiresIn ?? longestLife))
      },
      async find(id) {
        const row = one.get(model, id, nowSeconds())
        if (row === undefined) return undefined
        const payload: AdapterPayload = JSON.parse(payloadRow.parse(row).payload)
        return payload
      },
      async consume(id) {
        consume.run(nowSeconds(), model, id)
      },
      async destroy(id) {
        erase.run(model, id)
      },
      async revokeByGrantId(grantId) {
        eraseGrant.run(model, grantId)
      },
      findByUid: async () => undefined,
      findByUserCode: async () => undefined,
    }
  }

  /** The provider keeps no browser session: every sign-in asks who it is, so a leftover one signs nobody in. */
  const forgetful: Adapter = {
    upsert: async () => undefined,
    find: async () => undefined,
    consume: async () => undefined,
    destroy: async () => undefined,
    revokeByGrantId: async () => undefined,
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  }

  return {
    adapterFor: (model: string): Adapter => (model === 'Session' ? forgetful : adapter(model)),
    purge: (): void => {
      eraseDead.run(nowSeconds())
    },
  }
}
