import { can, type Role } from '@parley/contracts/account/permissions'
import { maxViews, type NewView, type ShownByView, type View, type ViewScreen } from '@parley/contracts/inbox/views'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { type ActorContext, type Caused, causeOf } from '@parley/service-kit/http/context'
import type { HoldLimit } from '../../../platform/limits/hold-limit.ts'
import { withTagRenamed } from '../../../platform/renamed-tag.ts'
import type { ViewRecord } from './views.model.ts'
import { createViewsRepository } from './views.repository.ts'

type Caller = WorkspaceScope & Pick<ActorContext, 'actor'>
interface Member extends Caller {
  readonly role: Role
}

/** Saved filters and orders of lists: a person's own, or everybody's. */
export function createViewsService({
  mongo,
  holdLimit,
  transaction,
}: {
  mongo: ServiceConnection
  holdLimit: HoldLimit
  transaction: RunInTransaction
}) {
  const views = createViewsRepository(mongo)

  /** Returns the views of the workspace, then the caller's own, each by name. */
  async function list(ctx: Caller, screen: ViewScreen): Promise<View[]> {
    const listed = [null, ctx.actor.id].map((ownerId) => views.list(ctx, { screen, ownerId }))
    return (await Promise.all(listed)).flat().map(toView)
  }

  /** @throws `forbidden`, `view_exists`, `too_many_views`. */
  async function create(ctx: Member, view: NewView): Promise<View> {
    const fields = fieldsOf(ctx, view)
    refuseUnlessAllowed(ctx, fields)
    const made = transaction(async (tx) => {
      await refuseTooMany(ctx, fields, tx)
      const record = await views.create(ctx, fields, tx)
      emitChange(ctx, record.id, tx)
      return record
    })
    return toView(await made.catch(refuseTaken(view.name)))
  }

  /** @throws `forbidden`, `not_found`, `view_exists`, `stale_version`, `too_many_views`. */
  async function update(ctx: Member, id: string, { version, ...view }: NewView & { version: number }): Promise<View> {
    const before = await readOwn(ctx, id)
    if (before.screen !== view.screen) throw errors.validation({ screen: 'A view stays with its list' })
    const fields = { ...fieldsOf(ctx, view) }
    refuseUnlessAllowed(ctx, before)
    refuseUnlessAllowed(ctx, fields)
    const changed = transaction(async (tx) => {
      if (before.ownerId !== fields.ownerId) await refuseTooMany(ctx, fields, tx)
      const record = await views.update(ctx, { id, version, fields, toAnswer: toView }, tx)
      emitChange(ctx, id, tx)
      return record
    })
    return toView(await changed.catch(refuseTaken(view.name)))
  }

  /** @throws `forbidden`, `not_found`. */
  async function remove(ctx: Member, id: string): Promise<void> {
    refuseUnlessAllowed(ctx, await readOwn(ctx, id))
    await transaction(async (tx) => {
      if (!(await views.remove(ctx, id, tx))) throw noSuchView()
      emitChange(ctx, id, tx)
    })
  }

  /** Writes another name of a tag into the views that name it, whosever they are; `only` of these. @returns their ids. */
  async function renameTag(
    ctx: WorkspaceScope & Caused,
    { tag, to, only }: { tag: string; to: string; only?: readonly string[] | undefined },
    tx: Tx,
  ): Promise<string[]> {
    const renamed: string[] = []
    for (const { id, version, query: before } of await views.namingTags(ctx, tag, tx)) {
      const query = renamedIn(before, tag, to)
      if (!query || (only && !only.includes(id))) continue
      await views.update(ctx, { id, version, fields: { query }, toAnswer: (current) => current.id }, tx)
      emitChange(ctx, id, tx)
      renamed.push(id)
    }
    return renamed
  }

  /** Reads a view of the caller. Another member's own view is as absent as another workspace's. */
  async function readOwn(ctx: Caller, id: string): Promise<ViewRecord> {
    const record = isId(id) ? await views.read(ctx, id) : null
    if (!record || (record.ownerId !== null && record.ownerId !== ctx.actor.id)) throw noSuchView()
    return record
  }

  async function refuseTooMany(ctx: Caller, { screen, ownerId }: Owned, tx: Tx): Promise<void> {
    await holdLimit(ctx, 'views', tx)
    if ((await views.list(ctx, { screen, ownerId }, tx)).length < maxViews) return
    const whose = ownerId === null ? 'A workspace shares' : 'You have'
    throw new AppError('too_many_views', `${whose} at most ${maxViews} views of a list. Delete one first.`)
  }

  return { list, create, update, remove, renameTag }
}

type Owned = Pick<ViewRecord, 'screen' | 'ownerId'>

/** Changing a shared view affects others too: it needs the permission for segments. */
function refuseUnlessAllowed({ role }: Member, { ownerId }: Pick<ViewRecord, 'ownerId'>): void {
  if (ownerId !== null || can(role, 'segments:write')) return
  throw errors.forbidden('Ask an owner or an admin to share this view, or save it for yourself.')
}

function renamedIn(query: ShownByView['query'], tag: string, to: string): ShownByView['query'] | undefined {
  if ('tag' in query && query.tag === tag) return { ...query, tag: to }
  const { tags = undefined, conditions = undefined } = 'tags' in query || 'conditions' in query ? query : {}
  const inner = conditions && withTagRenamed(conditions, tag, to)
  if (!inner && !tags?.includes(tag)) return undefined
  return {
    ...query,
    ...(tags && { tags: [...new Set(tags.map((name) => (name === tag ? to : name)))] }),
    ...(inner && { conditions: inner }),
  }
}

const fieldsOf = ({ actor }: Caller, { name, shared, screen, query }: NewView) => ({
  name,
  screen,
  query,
  ownerId: shared ? null : actor.id,
})

const emitChange = (ctx: WorkspaceScope & Caused, viewId: string, tx: Pick<Tx, 'emit'>): void =>
  tx.emit({ workspaceId: ctx.workspaceId, type: 'view.changed', by: causeOf(ctx), data: { viewId } })

const noSuchView = () => errors.notFound('There is no such view.')

const refuseTaken = (name: string) => (error: unknown) => {
  if (!isDuplicateKey(error)) throw error
  const message = `There is a view named ${name} already.`
  throw new AppError('view_exists', message, { fields: { name: message } })
}

/** The screen is the query's: both were checked together when they were written. */
const toView = ({ id, name, ownerId, screen, query, version }: ViewRecord): View =>
  ({ id, name, shared: ownerId === null, screen, query, version }) as View
