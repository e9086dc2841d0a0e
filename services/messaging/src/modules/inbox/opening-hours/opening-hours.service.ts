import { defaultOpeningHours, type OpeningHours } from '@parley/contracts/inbox/opening-hours'
import { errors } from '@parley/service-kit/core/errors'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { storeSetting } from '@parley/service-kit/data/store-setting'
import { type OpeningHoursRecord, openingHoursSchema } from './opening-hours.model.ts'

export type OpeningHoursService = ReturnType<typeof createOpeningHours>

/**
 * Stores the hours in which a workspace answers its customers.
 * @param readHours its sending hours, whose zone counts until it has set hours of its own.
 */
export function createOpeningHours({
  mongo,
  readHours,
}: {
  readonly mongo: ServiceConnection
  readonly readHours: (scope: WorkspaceScope) => Promise<{ readonly zone: string }>
}) {
  const records = workspaceCollection<OpeningHoursRecord>({
    connection: mongo,
    name: 'openingHours',
    schema: openingHoursSchema,
  })

  async function read(scope: WorkspaceScope, options: SessionOption = {}): Promise<OpeningHours> {
    const record = await records(scope).findOne({}, { hint: 'workspace', ...options })
    return record ? shown(record) : defaultOpeningHours((await readHours(scope)).zone)
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
