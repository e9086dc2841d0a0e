import type { AutomationSettings, automationSettingsApi } from '@parley/contracts/automation/bot-settings'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import type { AutomationHint } from '@parley/contracts/platform/event-stream'
import { errors } from '@parley/service-kit/core/errors'
import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { storeSetting } from '@parley/service-kit/data/store-setting'
import type { Platform } from '../../platform/platform.ts'
import { type SettingsRecord, settingsSchema } from './settings.model.ts'

type Change = EndpointInput<typeof automationSettingsApi.update>['body']

/** Words by which customers ask for a person in English. */
const defaultSettings: AutomationSettings = { handOverWords: ['agent', 'human'], version: 0 }

/**
 * Stores words by which customers ask for a person, what they are told, and when bots have their conversations again. Opening hours are
 * those of messaging.
 */
export function createSettings({ mongo, publish }: Pick<Platform, 'mongo' | 'publish'>) {
  const records = workspaceCollection<SettingsRecord>({
    connection: mongo,
    name: 'automationSettings',
    schema: settingsSchema,
  })

  async function read(scope: WorkspaceScope): Promise<AutomationSettings> {
    const record = await records(scope).findOne({}, { hint: 'workspace' })
    return record ? shown(record) : defaultSettings
  }

  /** @throws `stale_version`. */
  async function update(scope: WorkspaceScope, { version, ...change }: Change): Promise<AutomationSettings> {
    const { version: _none, ...defaults } = defaultSettings
    const changes = omitUndefined(change)
    const { closedText, returnHours, ...others } = changes
    const added = { ...defaults, ...others, ...(closedText && { closedText }), ...(returnHours && { returnHours }) }
    const changed = await storeSetting(records(scope), version, added, changes)
    if (!changed) throw errors.staleVersion(await read(scope))
    const hint: AutomationHint = { kind: 'bot' }
    void publish(scope.workspaceId, 'automation', hint)
    return shown(changed)
  }

  return { read, update }
}

const shown = ({ closedText, handOverWords, returnHours, version }: SettingsRecord) => ({
  ...(closedText != null && { closedText }),
  handOverWords: [...handOverWords],
  ...(returnHours != null && { returnHours }),
  version,
})
