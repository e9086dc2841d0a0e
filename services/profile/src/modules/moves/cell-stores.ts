import { mongodbUrlSchema, originSchema } from '@parley/service-kit/core/config'
import type { Logger } from '@parley/service-kit/core/logger'
import { connectMongo } from '@parley/service-kit/data/mongo'
import { createMoves } from '@parley/service-kit/data/workspace-moves'
import { z } from 'zod'

const storesSchema = z.record(
  z.string(),
  z.strictObject({
    messaging: mongodbUrlSchema,
    automation: mongodbUrlSchema,
    hooks: originSchema,
    links: originSchema.optional(),
  }),
)

/** Setting of the command that moves workspaces: what it has to reach in each cell. */
export const cellStoresSchema = z
  .string()
  .transform((text, issues) => {
    try {
      return storesSchema.parse(JSON.parse(text))
    } catch {
      issues.addIssue(
        'must be JSON like {"home":{"messaging":"mongodb://…/parley_messaging","automation":"mongodb://…/parley_automation","hooks":"https://…","links":"https://…"},"west":{…}}',
      )
      return z.NEVER
    }
  })
  .describe(
    'Databases of each cell, and the origins at which its webhooks and links are reached, as JSON; only for `move-workspace.ts`.',
  )

export type CellStores = Awaited<ReturnType<typeof openCellStores>>
/** Database of one service of a cell. */
export type Store = CellStores['messaging']

/** Opens the databases of a cell. */
export async function openCellStores(
  { messaging, automation, hooks, links }: z.infer<typeof storesSchema>[string],
  { name, logger }: { name: string; logger: Logger },
) {
  const open = async (url: string) => {
    const connection = await connectMongo(url, { name, logger, maxPoolSize: 5 })
    const { db } = connection
    if (!db) throw new Error('the database is not open')
    /** Names the database and the server that writes it. */
    const identity = async (): Promise<string> => {
      const { topologyVersion } = await db.command({ hello: 1 })
      return `${topologyVersion?.processId}/${db.databaseName}`
    }
    return { connection, db, identity, moves: createMoves(connection) }
  }
  const opened = { messaging: await open(messaging), automation: await open(automation) }
  return {
    ...opened,
    hooks,
    links,
    close: async (): Promise<void> => {
      await Promise.all([opened.messaging.connection.close(), opened.automation.connection.close()])
    },
  }
}
