import { z } from 'zod'
import type { Database } from './database.ts'
import { nowSeconds } from './sessions.ts'

const payloadRow = z.object({ payload: z.string() })

export type FlowRecords<T> = ReturnType<typeof createFlowRecords<T>>

/** What a sign-in under way must remember between two requests, beside the protocol's own records and purged with them. */
export function createFlowRecords<T>(database: Database, model: string, schema: z.ZodType<T>) {
  const upsert = database.prepare('INSERT OR REPLACE INTO protocol_records VALUES (?, ?, NULL, ?, ?)')
  const one = database.prepare('SELECT payload FROM protocol_records WHERE model = ? AND id = ? AND expires_at > ?')
  const erase = database.prepare(
    'DELETE FROM protocol_records WHERE model = ? AND id = ? AND expires_at > ? RETURNING payload',
  )
  const parse = (row: unknown) =>
    row === undefined ? undefined : schema.parse(JSON.parse(payloadRow.parse(row).payload))

  return {
    put(id: string, value: T, lifeSeconds: number): void {
      upsert.run(model, id, JSON.stringify(value), nowSeconds() + lifeSeconds)
    },
    find: (id: string): T | undefined => parse(one.get(model, id, nowSeconds())),
    /** Finds and removes in one step: of two callers at once only one gets it. */
    consume: (id: string): T | undefined => parse(erase.get(model, id, nowSeconds())),
  }
}
