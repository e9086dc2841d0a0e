import { type Cells, oneCell } from '@parley/service-kit/core/cells'
import { createLogger } from '@parley/service-kit/core/logger'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { inTransaction } from '@parley/service-kit/data/transaction'
import { createProfileRepository } from '../modules/profile/profile.repository.ts'
import { createErasures } from '../modules/workspaces/erase-workspaces.ts'
import { createWorkspacesRepository } from '../modules/workspaces/workspaces.repository.ts'

/** The worker's part in the deletion of workspaces, with a clock of the test's own. */
export function startErasures(connection: ServiceConnection, cells: Pick<Cells, 'urls'> = oneCell) {
  let time = Date.now()
  const users = createProfileRepository(connection)
  const erasures = createErasures({
    mongo: connection,
    workspaces: createWorkspacesRepository(connection),
    profile: {
      forgetWorkspace: async (userId, workspaceId) => {
        await users.moveHome({ userId }, workspaceId)
        await users.leaveWorkspace({ userId }, workspaceId)
      },
    },
    transaction: (work) => inTransaction(connection, work),
    cells,
    logger: createLogger({ name: 'erasures', level: 'silent' }),
    now: () => new Date(time),
  })
  const pass = (ms: number) => {
    time += ms
    return erasures.run()
  }
  return { erasures, pass }
}
