import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { ActorContext } from '@parley/service-kit/http/context'
import { type ViewRecord, viewSchema } from './views.model.ts'

/** Views, as an erasure looks through them. */
export function createPersonViews(connection: ServiceConnection) {
  const views = workspaceCollection<ViewRecord>({ connection, name: 'views', schema: viewSchema })
  return {
    /** Texts that members have typed into each: its name, and what it searches for. */
    async *typed(scope: WorkspaceScope): AsyncGenerator<{ id: string; texts: unknown }> {
      for await (const { id, name, query } of views(scope).find({}).hint('name')) yield { id, texts: [name, query] }
    },
    /** A null name is that of another member's own view. */
    async named(ctx: WorkspaceScope & Pick<ActorContext, 'actor'>, ids: readonly string[]) {
      const found = await views(ctx).find({ _id: { $in: ids } })
      const isOthers = ({ ownerId }: ViewRecord) => ownerId !== null && ownerId !== ctx.actor.id
      return found.map((view) => ({ id: view.id, name: isOthers(view) ? null : view.name }))
    },
  }
}
