import { createLaneIndex } from '@parley/service-kit/data/event-log'
import type { Connection } from 'mongoose'

/** Lets a lane's work find its own workspaces alone. Heads get their lane with their next event. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await createLaneIndex(db)
}
