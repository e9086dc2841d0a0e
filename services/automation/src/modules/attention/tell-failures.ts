import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import type { Platform } from '../../platform/platform.ts'
import { type AttentionRecord, attentionSchema, untold } from './attention.model.ts'
import type { NamesOfFlows } from './attention.service.ts'

/** Entries that are looked at together. */
const batchSize = 500

/**
 * Has messaging notify members of what has come onto the attention list, until it knows. Entries of one bot are one call: messaging
 * tells a bot once a day, however often it is called.
 */
export function createTellFailures({
  mongo,
  askMessaging,
  namesOf,
  isSample,
}: Pick<Platform, 'mongo' | 'askMessaging'> & {
  readonly namesOf: NamesOfFlows
  readonly isSample: (scope: WorkspaceScope, botId: string) => boolean
}) {
  const definition = { connection: mongo, name: 'attention', schema: attentionSchema }
  const records = workspaceCollection<AttentionRecord>(definition)
  const ofAll = scopedCollection<object, AttentionRecord & { readonly workspaceId: string }>(definition, () => ({
    told: untold,
  }))

  /** @throws `service_unavailable`; what was not told is tried again. */
  async function perform({ workspaceId }: Pick<JobRecord, 'workspaceId'>): Promise<void> {
    const scope = { workspaceId }
    const found = await records(scope).find({ told: untold }).sort({ firstAt: 1 }).limit(batchSize).hint('untold')
    const names = await namesOf(scope, [...new Set(found.flatMap(({ flowId }) => flowId ?? []))])
    for (const [botId, entries] of Map.groupBy(found, ({ flowId }) => flowId)) {
      const [first] = entries
      const { kind = 'bot', name } = (botId === undefined ? undefined : names.get(botId)) ?? {}
      const isGone = botId !== undefined && name === undefined
      if (first && !isGone)
        await askMessaging(scope, messagingInternalApi.botFailures, {
          body: {
            ...(botId !== undefined &&
              name !== undefined && {
                bot: { id: botId, kind, name, ...(isSample(scope, botId) && { sample: true }) },
              }),
            sentence: first.sentence,
            at: first.firstAt.toISOString(),
          },
        })
      await records(scope).updateMany({ _id: { $in: entries.map(({ id }) => id) } }, { $unset: { told: 1 } })
    }
  }

  return {
    perform,
    /** One entry of each workspace that has some. */
    due: async (): Promise<JobRecord[]> => {
      const found = await ofAll({}).find({}).sort({ workspaceId: 1, firstAt: 1 }).limit(batchSize).hint('untold')
      return [...new Map(found.map(({ id, workspaceId }) => [workspaceId, { id, workspaceId }])).values()]
    },
  }
}
