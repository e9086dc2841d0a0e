import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { Schema } from 'mongoose'

/** State of a workspace's automations: whether any is active, and at which numbers bots answer. */
export interface AutomationState {
  /** True while a bot or workflow is active. */
  readonly active: boolean
  /** Numbers with an active bot; absent: all. */
  readonly numberIds?: readonly string[] | undefined
  /** Hours without a person's message after which a conversation is the bots' again; absent: once it is closed. */
  readonly returnHours?: number | undefined
  /** Rises with every change: an older state is ignored. */
  readonly routingVersion: number
}

interface AutomationStateRecord extends AutomationState {
  readonly id: string
  readonly workspaceId: string
  readonly updatedAt: Date
}

const automationStateSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    active: { type: Boolean, required: true },
    numberIds: { type: [Schema.Types.ObjectId], default: undefined },
    returnHours: { type: Number },
    routingVersion: { type: Number, required: true },
  },
  { timestamps: { createdAt: false }, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
automationStateSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })

export type AutomationStates = ReturnType<typeof createAutomationStates>

/** Stores what automation reports of its flows: for which workspaces facts are recorded, and where assignment waits for a bot. */
export function createAutomationStates(connection: ServiceConnection) {
  const states = workspaceCollection<AutomationStateRecord>({
    connection,
    name: 'automationStates',
    schema: automationStateSchema,
  })
  return {
    /** `null` where no flow was ever published. One read by a unique index: inside a transaction it is of that moment. */
    read: (scope: WorkspaceScope, options: SessionOption = {}): Promise<AutomationState | null> =>
      states(scope).findOne({}, { hint: 'workspace', ...options }),
    /** Stores a state unless a newer one is stored. */
    set: async (
      scope: WorkspaceScope,
      { active, numberIds, returnHours, routingVersion }: AutomationState,
    ): Promise<void> => {
      const given = omitUndefined({ numberIds: numberIds && [...new Set(numberIds)], returnHours })
      const absent = ['numberIds', 'returnHours'].filter((name) => !(name in given))
      const update = {
        $set: { active, routingVersion, ...given },
        ...(absent.length > 0 && { $unset: Object.fromEntries(absent.map((name) => [name, 1 as const])) }),
      }
      await states(scope)
        .findOneAndUpdate({ routingVersion: { $lt: routingVersion } }, update, { upsert: true })
        .catch((error: unknown) => {
          // The record there is not older.
          if (!isDuplicateKey(error)) throw error
        })
    },
  }
}

/** Returns whether a bot answers at a number. */
export const hasActiveBot = (state: AutomationState | null, numberId: string): boolean =>
  state?.active === true && (state.numberIds === undefined || state.numberIds.includes(numberId))
