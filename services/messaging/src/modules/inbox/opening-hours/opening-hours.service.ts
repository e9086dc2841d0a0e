import { defaultOpeningHours, type OpeningHours } from '@parley/contracts/inbox/opening-hours'
import { errors } from '@parley/service-kit/core/errors'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { storeSetting } from '@parley/service-kit/data/store-setting'
import { type OpeningHoursRecord, openingHoursSchema } from './opening-hours.model.ts'

/**
 * Stores the hours in which a workspace answers its customers.
 * @param zoneOf the workspace's zone, until it has set hours of its own.
 */
export function createOpeningHours(
  connection: ServiceConnection,
  { zoneOf }: { readonly zoneOf: (scope: WorkspaceScope) => Promise<string> },
) {
  const records = workspaceCollection<OpeningHoursRecord>({
    connection,
    name: 'openingHours',
    schema: openingHoursSchema,
  })

  async function read(scope: WorkspaceScope, options: SessionOption = {}): Promise<OpeningHours> {
    const record = await records(scope).findOne({}, { hint: 'workspace', ...options })
    return record ? shown(record) : defaultOpeningHours(await zoneOf(scope))
  }

  /** @throws `stale_version`. */
  async function update(scope: WorkspaceScope, { version, ...hours }: OpeningHours): Promise<OpeningHours> {
    const changed = await storeSetting(records(scope), version, hours)
    if (!changed) throw errors.staleVersion(await read(scope))
    return shown(changed)
  }

  return { read, update }
}

const shown = ({ timeZone, spans, closedOn, awayAnswer, version }: OpeningHoursRecord): OpeningHours => ({
  timeZone,
  spans: spans.map(({ day, from, to }) => ({ day, from, to })),
  closedOn: [...closedOn],
  awayAnswer: awayAnswer ?? '',
  version,
})
