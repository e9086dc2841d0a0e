import type { ActivityItem } from '@parley/contracts/platform/dashboard'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { type Activity, withActivities } from './activity.ts'
import type { WorkspaceFiguresRepository } from './workspace-figures.repository.ts'

const maxShown = 20
const maxNameLength = 200

/** Names of the subjects of one kind, by id. */
type NamesOf = (scope: WorkspaceScope, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** Reads the latest activity with the names as they are now: of what is gone nothing is shown. */
export function createLatestActivity({
  figures,
  namesOf,
}: {
  readonly figures: Pick<WorkspaceFiguresRepository, 'allActivities'>
  readonly namesOf: Readonly<Record<'conversation' | 'campaign', NamesOf>>
}) {
  return async function latestActivity(scope: WorkspaceScope): Promise<ActivityItem[]> {
    const latest = withActivities([], await figures.allActivities(scope))
    const ids = (kind: Activity['object']['kind']) =>
      latest.flatMap(({ object }) => (object.kind === kind ? object.id : []))
    const [conversations, campaigns] = await Promise.all([
      namesOf.conversation(scope, ids('conversation')),
      namesOf.campaign(scope, ids('campaign')),
    ])
    const items = latest.flatMap(({ key, kind, text, object, name, at }) => {
      const shown = name ?? conversations.get(object.id) ?? campaigns.get(object.id)
      if (shown === undefined) return []
      const named = { ...object, name: shown.slice(0, maxNameLength) }
      return [{ id: `${key}-${at.getTime()}`, kind, text, object: named, at: at.toISOString() }]
    })
    return items.slice(0, maxShown)
  }
}
