import { fullConnection, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { Types } from 'mongoose'

/** Last place and hash of a workspace's chain. */
interface AuditHead {
  readonly _id: Types.ObjectId
  readonly seq: number
  readonly hash: string
}

/** The ends of the chains. Entries themselves are the kit's, which stores them in every service. */
export const auditHeads = (connection: ServiceConnection) =>
  fullConnection(connection).collection<AuditHead>('auditHeads')

/** An id as it is stored. */
export const storedId = (id: string): Types.ObjectId => new Types.ObjectId(id)
