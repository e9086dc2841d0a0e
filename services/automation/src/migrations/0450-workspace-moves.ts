import { createMoveIndexes } from '@parley/service-kit/data/workspace-moves'
import type { Connection } from 'mongoose'

/** Workspaces that enter or leave the cell, and its workers. */
export const up = (db: NonNullable<Connection['db']>): Promise<void> => createMoveIndexes(db)
