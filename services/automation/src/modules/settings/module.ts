import type { AutomationSettings, automationSettingsApi } from '@parley/contracts/automation/bot-settings'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { errors } from '@parley/service-kit/core/errors'
import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Platform } from '../../platform/platform.ts'
import { type SettingsRecord, settingsSchema } from './settings.model.ts'

type Change = EndpointInput<typeof automationSettingsApi.update>['body']

/** Monday to Friday, 9 to 17 in UTC; the words by which customers ask for a person in English. */
const defaultSettings: AutomationSettings = {
  businessHours: {
    timeZone: 'UTC',
    spans: [1, 2, 3, 4, 5].map((day) => ({ day, from: '09:00', to: '17:00' })),
    closedOn: [],
  },
  handOverWords: ['agent', 'human'],
  version: 0,
}

/** Stores opening hours, and words by which customers ask for a person. */
export function createSettings({ mongo }: Pick<Platform, 'mongo'>) {
  const records = workspaceCollection<SettingsRecord>({
    connection: mongo,
    name: 'automationSettings',
    schema: settingsSchema,
  })

  async function read(scope: WorkspaceScope): Promise<AutomationSettings> {
    const record = await records(scope).findOne({}, { hint: 'workspace' })
    return record ? shown(record) : defaultSettings
  }

  /** @throws `stale_version`, `validation_failed` for a time zone that nobody knows. */
  async function update(scope: WorkspaceScope, { version, ...change }: Change): Promise<AutomationSettings> {
    if (change.businessHours && !isTimeZone(change.businessHours.timeZone))
      throw errors.validation({ businessHours: 'Choose a time zone.' })
    const { version: _none, ...defaults } = defaultSettings
    const changes = omitUndefined(change)
    const { closedText, ...others } = changes
    const added = { ...defaults, ...others, ...(closedText && { closedText }) }
    const changed =
      version === 0
        ? await records(scope)
            .create(added)
            .catch((error: unknown) => {
              if (isDuplicateKey(error)) return null
              throw error
            })
        : await records(scope).findOneAndUpdate({ version }, { $set: changes })
    if (!changed) throw errors.staleVersion(await read(scope))
    return shown(changed)
  }

  return { read, update }
}

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const shown = ({ businessHours, closedText, handOverWords, version }: SettingsRecord) => ({
  businessHours: {
    timeZone: businessHours.timeZone,
    spans: businessHours.spans.map(({ day, from, to }) => ({ day, from, to })),
    closedOn: [...businessHours.closedOn],
  },
  ...(closedText != null && { closedText }),
  handOverWords: [...handOverWords],
  version,
})
