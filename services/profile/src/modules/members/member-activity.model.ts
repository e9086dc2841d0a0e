import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { Schema } from 'mongoose'

/** Time at which a member last used a workspace. Apart from the membership, whose every write has its sessions read it again. */
interface ActivityRecord {
  readonly id: string
  readonly workspaceId: string
  readonly userId: string
  readonly seenAt: Date
}

const activitySchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    seenAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
activitySchema.index({ workspaceId: 1, userId: 1 }, { name: 'member', unique: true })

/** More than any plan allows, and those who have left. */
const maxRead = 5000

export type MemberActivity = ReturnType<typeof createMemberActivity>

export function createMemberActivity(connection: ServiceConnection) {
  const activity = workspaceCollection<ActivityRecord>({
    connection,
    name: 'memberActivity',
    schema: activitySchema,
    bookkeeping: true,
  })

  return {
    /** Notes that members were seen; an earlier time than the stored one changes nothing. */
    note: async (seen: readonly (WorkspaceScope & { userId: string; at: Date })[]): Promise<void> => {
      for (const { userId, at, ...scope } of seen)
        await activity(scope)
          .findOneAndUpdate({ userId }, { $max: { seenAt: at } }, { upsert: true })
          .catch((error: unknown) => {
            // Another instance has noted the member for the first time at this moment, and is no more than a minute off.
            if (!isDuplicateKey(error)) throw error
          })
    },
    /** Returns when each member of a workspace was last seen, by user id. */
    of: async (scope: WorkspaceScope): Promise<ReadonlyMap<string, Date>> => {
      const found = await activity(scope).find({}).limit(maxRead).hint('member')
      return new Map(found.map(({ userId, seenAt }) => [userId, seenAt]))
    },
  }
}
