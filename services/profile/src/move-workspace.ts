import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { keyVersionKey } from '@parley/contracts/account/api-keys'
import { homeCell } from '@parley/contracts/account/cells'
import { createRedis } from '@parley/service-kit/core/redis'
import { runCommand } from '@parley/service-kit/core/run-process'
import { connectMongo } from '@parley/service-kit/data/mongo'
import { isId } from '@parley/service-kit/data/plain'
import { inTransaction } from '@parley/service-kit/data/transaction'
import { moveConfigSchema } from './config.ts'
import { createApiKeysRepository } from './modules/api-keys/api-keys.repository.ts'
import { openCellStores } from './modules/moves/cell-stores.ts'
import { holdMove } from './modules/moves/hold-move.ts'
import { createMove } from './modules/moves/move-workspace.ts'
import { announceMembers, createAccessVersions } from './modules/workspaces/access-versions.ts'
import { recordMember } from './modules/workspaces/record-member.ts'
import { createWorkspacesRepository } from './modules/workspaces/workspaces.repository.ts'

const name = 'move-workspace'
const connectMs = 10_000
const usage = 'say --workspace <id> --to <cell>, or --workspace <id> --abort'

/**
 * Moves a workspace to another cell: `--workspace <id> --to <cell>`. Run again it goes on where it was; `--abort` gives a move up that has
 * not switched. Source: `deploy/docs/design/cells.md`.
 */
await runCommand({
  name,
  schema: moveConfigSchema,
  work: async (config, logger) => {
    const { values } = parseArgs({
      options: {
        workspace: { type: 'string' },
        to: { type: 'string' },
        abort: { type: 'boolean' },
        'one-bucket': { type: 'boolean' },
      },
    })
    const { workspace: workspaceId = '', to, abort = false } = values
    if (!isId(workspaceId) || abort === (to !== undefined)) throw new Error(usage)
    if (to !== undefined && to !== homeCell && !config.CELLS?.urls.has(to)) throw new Error(`CELLS lists no cell ${to}`)
    const scope = { workspaceId }
    const mongo = await connectMongo(config.MONGODB_URL, { name, logger })
    const redis = createRedis(config.REDIS_URL, { name, logger })
    const closing: (() => Promise<void>)[] = [mongo.close.bind(mongo), async () => redis.disconnect()]
    try {
      if (redis.status !== 'ready') await once(redis, 'ready', { signal: AbortSignal.timeout(connectMs) })
      const workspaces = createWorkspacesRepository(mongo)
      const access = createAccessVersions(redis)
      const transaction = announceMembers((work) => inTransaction(mongo, work), access.announce)
      const held = holdMove({ mongo, workspaces, transaction }, scope)
      const storesOf = async (cell: string) => {
        const known = config.CELL_STORES[cell]
        if (!known) throw new Error(`CELL_STORES lists no cell ${cell}`)
        const stores = await openCellStores(known, { name, logger })
        closing.push(stores.close)
        return stores
      }

      /** Has every app ask for the cell anew: those, too, that have asked while it was switched. */
      async function announce(): Promise<void> {
        for (const { id } of await workspaces.activeMembers(scope)) {
          const member = await transaction(async (tx) => {
            const changed = await workspaces.changeMember(scope, id, { status: 'active' }, tx)
            recordMember(tx, changed, { kind: 'system' })
            return changed
          })
          // Not only announced: the move goes on once Redis has it.
          await access.raise(member)
        }
        const keys = await inTransaction(mongo, (tx) => createApiKeysRepository(mongo).raiseAll(scope, new Date(), tx))
        for (const { publicId, revision } of keys) await access.announceVersion(keyVersionKey(publicId), revision)
      }

      const begun = await held.begin(to)
      const [source, target] = [await storesOf(begun.from), await storesOf(begun.to)]
      const move = await held.take(begun)
      closing.push(held.release)
      const oneBucket = values['one-bucket'] === true
      const mover = createMove({ source, target, held, announce, oneBucket, logger })
      if (!abort) await mover.run(move)
      else if (move.state === 'moving') await mover.abort(move)
      else throw new Error('the workspace has moved: run the command again, and move it back instead')
    } finally {
      for (const close of closing.reverse()) await close()
    }
  },
})
