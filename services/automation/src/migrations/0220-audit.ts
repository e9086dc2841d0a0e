import { createAuditIndexes } from '@parley/service-kit/data/audit-log'
import type { Connection } from 'mongoose'

/** Entries of the audit log that wait to be handed to profile. */
export const up = (db: NonNullable<Connection['db']>): Promise<void> => createAuditIndexes(db)
